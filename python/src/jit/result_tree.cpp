#include "python/src/jit/result_tree.h"

#include <algorithm>
#include <string_view>

namespace ember::python {
namespace {

constexpr std::pair<std::string_view, ResultTree::Way> kWays[] = {
    {"const", ResultTree::Way::Constant}, {"given", ResultTree::Way::Given}, {"container", ResultTree::Way::Container},
    {"again", ResultTree::Way::Again},    {"keep", ResultTree::Way::Keep},   {"made", ResultTree::Way::Made},
    {"tuple", ResultTree::Way::Tuple},    {"list", ResultTree::Way::List},   {"dict", ResultTree::Way::Dict}};

ResultTree::Way way_of(const std::string& kind) {
  const auto* it = std::ranges::find(kWays, kind, [](const auto& way) { return way.first; });
  if (it == std::end(kWays)) raise(PyExc_ValueError, "no result is made by the way '" + kind + "'");
  return it->second;
}

size_t number_of(PyObject* o) {
  const size_t number = PyLong_AsSize_t(o);
  if (PyErr_Occurred()) throw PythonError();
  return number;
}

}  // namespace

ResultTree::ResultTree(PyObject* tree) {
  if (PyLong_Check(tree)) {
    way = Way::Result;
    number = number_of(tree);
    return;
  }
  if (!PyTuple_Check(tree) || PyTuple_GET_SIZE(tree) != 2) raise(PyExc_TypeError, "a tree is an int or a pair");
  const Recursion deeper(" while results are described");
  way = way_of(text(PyTuple_GET_ITEM(tree, 0)));
  const Object payload = Object::borrow(PyTuple_GET_ITEM(tree, 1));
  switch (way) {
    case Way::Result:
    case Way::Given:
    case Way::Container:
    case Way::Again:
      number = number_of(payload.get());
      return;
    case Way::Constant:
      content = payload;
      return;
    case Way::Keep:
      parts.emplace_back(payload.get());
      return;
    case Way::Made:
      content = Object::borrow(PyTuple_GetItem(payload.get(), 0));
      if (!content) throw PythonError();
      parts.emplace_back(PyTuple_GET_ITEM(payload.get(), 1));
      return;
    case Way::Tuple:
    case Way::List:
    case Way::Dict:
      break;
  }
  Object items = payload;
  if (way == Way::Dict) {
    content = check(PySequence_Tuple(payload.get()));
    items = check(PyDict_Values(payload.get()));
  }
  const Object children = check(PySequence_Tuple(items.get()));
  for (Py_ssize_t i = 0; i < PyTuple_GET_SIZE(children.get()); ++i)
    parts.emplace_back(PyTuple_GET_ITEM(children.get(), i));
}

int ResultTree::visit(visitproc visit, void* arg) const {
  Py_VISIT(content.get());
  for (const ResultTree& part : parts)
    if (const int stopped = part.visit(visit, arg)) return stopped;
  return 0;
}

}  // namespace ember::python
