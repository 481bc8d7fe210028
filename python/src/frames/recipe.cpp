#include "python/src/frames/recipe.h"

#include <structmember.h>

#include <string_view>

#include "python/src/conversion/gc_type.h"

namespace ember::python {
namespace {

enum class Way : uint8_t { Constant, Leaf, Path, Tuple, List, Dict, Once };

constexpr std::pair<std::string_view, Way> kWays[] = {
    {"constant", Way::Constant}, {"leaf", Way::Leaf}, {"path", Way::Path}, {"tuple", Way::Tuple},
    {"list", Way::List},         {"dict", Way::Dict}, {"once", Way::Once}};

struct RecipeObject {
  PyObject_HEAD PyObject* content;
  PyObject* key;  // of what is made once
  Py_ssize_t number;
  Way way;
};

extern PyTypeObject RecipeType, ContextType;

RecipeObject& as_recipe(PyObject* o) { return *reinterpret_cast<RecipeObject*>(o); }
ContextObject& as_context(PyObject* o) { return *reinterpret_cast<ContextObject*>(o); }
ResumePointObject& as_point(PyObject* o) { return *reinterpret_cast<ResumePointObject*>(o); }

Object make(PyObject* build, PyObject* context);

Object make_path(const RecipeObject& recipe, PyObject* context) {
  Object value = Object::borrow(as_context(context).inputs);
  for (Py_ssize_t i = 0; i < PyTuple_GET_SIZE(recipe.content); ++i)
    value = check(PyObject_GetItem(value.get(), PyTuple_GET_ITEM(recipe.content, i)));
  return value;
}

Object make_items(const RecipeObject& recipe, PyObject* context) {
  return make_sequence(recipe.way == Way::List, PyTuple_GET_SIZE(recipe.content),
                       [&](Py_ssize_t i) { return make(PyTuple_GET_ITEM(recipe.content, i), context); });
}

Object make_dict(const RecipeObject& recipe, PyObject* context) {
  Object dict = check(PyDict_New());
  for (Py_ssize_t i = 0; i < PyTuple_GET_SIZE(recipe.content); ++i) {
    PyObject* pair = PyTuple_GET_ITEM(recipe.content, i);
    const Object key = make(PyTuple_GET_ITEM(pair, 0), context);
    check(PyDict_SetItem(dict.get(), key.get(), make(PyTuple_GET_ITEM(pair, 1), context).get()));
  }
  return dict;
}

// Nothing else asks for what only one other recipe has.
Object make_once(const RecipeObject& recipe, PyObject* context) {
  if (recipe.content && Py_REFCNT(&recipe) == 1) return make(Object::borrow(recipe.content).get(), context);
  PyObject* memo = as_context(context).memo;
  if (PyObject* known = PyDict_GetItemWithError(memo, recipe.key)) return Object::borrow(known);
  if (PyErr_Occurred()) throw PythonError();
  if (!recipe.content) raise(PyExc_TypeError, "a Recipe that is made once lacks what makes it");
  const Object build = Object::borrow(recipe.content);
  Object value = make(build.get(), context);
  PyObject* memoised = PyDict_SetDefault(memo, recipe.key, value.get());
  if (!memoised) throw PythonError();
  return Object::borrow(memoised);
}

Object make(PyObject* build, PyObject* context) {
  if (!Py_IS_TYPE(build, &RecipeType)) return check(PyObject_CallOneArg(build, context));
  const Recursion deeper(" while a value is made anew after a break");
  const RecipeObject& recipe = as_recipe(build);
  switch (recipe.way) {
    case Way::Constant:
      return Object::borrow(recipe.content);
    case Way::Leaf:
      return check(PySequence_GetItem(as_context(context).leaves, recipe.number));
    case Way::Path:
      return make_path(recipe, context);
    case Way::Tuple:
    case Way::List:
      return make_items(recipe, context);
    case Way::Dict:
      return make_dict(recipe, context);
    case Way::Once:
      return make_once(recipe, context);
  }
  return {};
}

Way way_of(PyObject* name) {
  for (const auto& [known, way] : kWays)
    if (PyUnicode_CompareWithASCIIString(name, known.data()) == 0) return way;
  raise(PyExc_ValueError, "there is no Recipe of the kind " + text(name));
}

void expect_tuple(PyObject* content) {
  if (!PyTuple_CheckExact(content)) raise(PyExc_TypeError, "a Recipe of parts takes a tuple");
}

void expect_pairs(PyObject* content) {
  expect_tuple(content);
  for (Py_ssize_t i = 0; i < PyTuple_GET_SIZE(content); ++i) {
    expect_tuple(PyTuple_GET_ITEM(content, i));
    if (PyTuple_GET_SIZE(PyTuple_GET_ITEM(content, i)) != 2) raise(PyExc_TypeError, "a Recipe of a dict takes pairs");
  }
}

void take_content(RecipeObject& recipe, PyObject* content) {
  switch (recipe.way) {
    case Way::Leaf:
      recipe.number = PyLong_AsSsize_t(content);
      if (recipe.number == -1 && PyErr_Occurred()) throw PythonError();
      break;
    case Way::Path:
    case Way::Tuple:
    case Way::List:
      expect_tuple(content);
      break;
    case Way::Dict:
      expect_pairs(content);
      break;
    case Way::Once:
      recipe.key = Py_NewRef(content);
      return;
    case Way::Constant:
      break;
  }
  recipe.content = Py_NewRef(content);
}

// Recipe(kind, content)
PyObject* recipe_new(PyTypeObject* type, PyObject* args, PyObject*) {
  PyObject *kind, *content;
  if (!PyArg_ParseTuple(args, "UO", &kind, &content)) return nullptr;
  return guarded([&] {
    const Way way = way_of(kind);
    Object recipe = check(type->tp_alloc(type, 0));
    as_recipe(recipe.get()).way = way;
    take_content(as_recipe(recipe.get()), content);
    return recipe.release();
  });
}

// recipe.complete(build), of what is made once
PyObject* recipe_complete(PyObject* self, PyObject* build) {
  return guarded([&]() -> PyObject* {
    RecipeObject& recipe = as_recipe(self);
    if (recipe.way != Way::Once || recipe.content) raise(PyExc_TypeError, "this Recipe is complete");
    recipe.content = Py_NewRef(build);
    Py_RETURN_NONE;
  });
}

int recipe_traverse(PyObject* self, visitproc visit, void* arg) {
  Py_VISIT(as_recipe(self).content);
  Py_VISIT(as_recipe(self).key);
  return 0;
}

int recipe_clear(PyObject* self) {
  Py_CLEAR(as_recipe(self).content);
  Py_CLEAR(as_recipe(self).key);
  return 0;
}

// recipe(context): the value
PyObject* recipe_call(PyObject* self, PyObject* args, PyObject*) {
  PyObject* context;
  if (!PyArg_ParseTuple(args, "O!", &ContextType, &context)) return nullptr;
  return guarded([&] { return make(self, context).release(); });
}

Object new_context(PyObject* leaves, PyObject* inputs) {
  Object context = check(ContextType.tp_alloc(&ContextType, 0));
  as_context(context.get()).leaves = Py_NewRef(leaves);
  as_context(context.get()).inputs = Py_NewRef(inputs);
  as_context(context.get()).memo = check(PyDict_New()).release();
  return context;
}

// Context(leaves, inputs)
PyObject* context_new(PyTypeObject*, PyObject* args, PyObject*) {
  PyObject *leaves, *inputs;
  if (!PyArg_ParseTuple(args, "OO", &leaves, &inputs)) return nullptr;
  return guarded([&] { return new_context(leaves, inputs).release(); });
}

int context_traverse(PyObject* self, visitproc visit, void* arg) {
  for (PyObject* held : {as_context(self).leaves, as_context(self).inputs, as_context(self).memo}) Py_VISIT(held);
  return 0;
}

int context_clear(PyObject* self) {
  Py_CLEAR(as_context(self).leaves);
  Py_CLEAR(as_context(self).inputs);
  Py_CLEAR(as_context(self).memo);
  return 0;
}

// ResumePoint(at, build, changed)
PyObject* point_new(PyTypeObject* type, PyObject* args, PyObject*) {
  Py_ssize_t at;
  PyObject *build, *changed;
  if (!PyArg_ParseTuple(args, "nOO!", &at, &build, &PyFrozenSet_Type, &changed)) return nullptr;
  PyObject* self = type->tp_alloc(type, 0);
  if (!self) return nullptr;
  as_point(self).at = at;
  as_point(self).build = Py_NewRef(build);
  as_point(self).changed = Py_NewRef(changed);
  return self;
}

int point_traverse(PyObject* self, visitproc visit, void* arg) {
  Py_VISIT(as_point(self).build);
  Py_VISIT(as_point(self).changed);
  return 0;
}

int point_clear(PyObject* self) {
  Py_CLEAR(as_point(self).build);
  Py_CLEAR(as_point(self).changed);
  return 0;
}

// resumed(results, inputs): what a function goes on with
PyObject* resume(PyObject*, PyObject* const* args, Py_ssize_t count) {
  return guarded([&] {
    if (count != 2) raise(PyExc_TypeError, "resumed() takes the results of a graph and what went into it");
    return resumed(args[0], args[1]).release();
  });
}

PyMethodDef recipe_methods[] = {{"complete", recipe_complete, METH_O, nullptr}, {nullptr, nullptr, 0, nullptr}};
PyMemberDef context_members[] = {{"leaves", T_OBJECT_EX, offsetof(ContextObject, leaves), READONLY, nullptr},
                                 {"inputs", T_OBJECT_EX, offsetof(ContextObject, inputs), READONLY, nullptr},
                                 {"made", T_OBJECT_EX, offsetof(ContextObject, memo), READONLY, nullptr},
                                 {nullptr, 0, 0, 0, nullptr}};
PyMemberDef point_members[] = {{"at", T_PYSSIZET, offsetof(ResumePointObject, at), READONLY, nullptr},
                               {nullptr, 0, 0, 0, nullptr}};
PyMethodDef functions[] = {{"resumed", reinterpret_cast<PyCFunction>(resume), METH_FASTCALL, nullptr},
                           {nullptr, nullptr, 0, nullptr}};

PyTypeObject make_recipe_type() {
  PyTypeObject type = gc_type<recipe_clear>("emberjit.Recipe", sizeof(RecipeObject), recipe_new, recipe_traverse);
  type.tp_methods = recipe_methods;
  type.tp_call = recipe_call;
  return type;
}

PyTypeObject make_context_type() {
  PyTypeObject type = gc_type<context_clear>("emberjit.Context", sizeof(ContextObject), context_new, context_traverse);
  type.tp_members = context_members;
  return type;
}

PyTypeObject make_point_type() {
  PyTypeObject type =
      gc_type<point_clear>("emberjit.ResumePoint", sizeof(ResumePointObject), point_new, point_traverse);
  type.tp_members = point_members;
  return type;
}

PyTypeObject RecipeType = make_recipe_type();
PyTypeObject ContextType = make_context_type();

}  // namespace

PyTypeObject ResumePointType = make_point_type();

Object resumed(PyObject* results, PyObject* inputs) {
  if (!PyTuple_CheckExact(results) || PyTuple_GET_SIZE(results) == 0 ||
      !Py_IS_TYPE(PyTuple_GET_ITEM(results, 0), &ResumePointType))
    raise(PyExc_TypeError, "the results of a graph before a break begin with a ResumePoint");
  const Object leaves = check(PyTuple_GetSlice(results, 1, PyTuple_GET_SIZE(results)));
  const Object context = new_context(leaves.get(), inputs);
  return make(as_point(PyTuple_GET_ITEM(results, 0)).build, context.get());
}

void add_recipes(PyObject* module) {
  add_types(module, {{"Recipe", &RecipeType}, {"Context", &ContextType}, {"ResumePoint", &ResumePointType}});
  check(PyModule_AddFunctions(module, functions));
  check(PyModule_AddIntConstant(module, "END", kEnd));
}

}  // namespace ember::python
