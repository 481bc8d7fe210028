// One signature of a public function, and what it calls: an op of the table, or a composition in Python. A call's
// arguments are matched with the parameters once for their number, keywords and types, which gives a Resolution: where
// each argument of the target comes from.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "ops/table/op.h"
#include "python/src/conversion/object.h"

namespace ember::python {

// The arguments of one call, as a vectorcall has them.
struct CallArguments {
  PyObject* const* values;
  Py_ssize_t positional;
  PyObject* keyword_names;  // null: none
  Py_ssize_t count() const { return positional + (keyword_names ? PyTuple_GET_SIZE(keyword_names) : 0); }
};

enum class Passed : uint8_t { AnyWay, ByKeyword, Variadic };  // Variadic: all positional ones that are left, as a tuple

struct Parameter {
  Object name;
  std::vector<Object> aliases;
  std::optional<ops::ParamKind> kind;  // none: any object
  bool optional = false;               // None allowed
  bool required = false;
  Passed passed = Passed::AnyWay;
  bool called(PyObject* keyword) const;
};

// Of one argument of the target: a parameter by its number, and what it is where that is not given; neither: the op's
// default.
struct Source {
  int parameter = -1;
  Object constant;
};

inline constexpr size_t kMaxSources = 64;

struct Overload {
  std::vector<Parameter> parameters;
  std::vector<Source> sources;  // by position in the target's signature, at most kMaxSources
  const ops::Op* op = nullptr;  // null: a composition in Python
  Object target;
  int result_dtype = -1;  // the parameter by which the result is converted
  Object compile;         // makes a graph of it; null: it runs in Python, op by op
  Object graph;           // from the second call on
  bool called = false;
  bool in_place = false;  // the result is written into the first argument, which the call gives
};

// How the arguments of calls of one form reach an overload's target.
struct Resolution {
  Object keyword_names;
  Py_ssize_t positional = -1;
  std::vector<PyTypeObject*> types;  // of all arguments
  Overload* overload = nullptr;
  std::vector<int> numbers;  // by position in the target's signature: the number of an argument, or -1
  int variadic = -1;         // of the target's, the one that takes the arguments from `rest` on
  int rest = 0;
  int written = -1;            // the number of the argument that is written
  int result_dtype = -1;       // the number of the argument to whose dtype the result is converted
  std::vector<int> converted;  // of the target's: Tensors given as other data, and dtypes

  bool admits(const CallArguments& arguments) const;
};

// What keeps arguments from overloads: of the more that fit, the better a message it gives.
struct Mismatch {
  int fitting = -1;  // 0: the names do not, 1: a type does not
  std::string text;
  std::vector<std::string> reasons;  // of each overload that was tried
};

// What a public function is, as far as matching needs it.
struct Callee {
  std::string name;
  bool method = false;     // the first argument is the object
  bool of_tensor = false;  // which is a Tensor
  bool several = false;    // overloads: then Tensors and bools are no ints
};

// The resolution of a call, or none.
std::optional<Resolution> resolve(Overload& overload, const CallArguments& arguments, const Callee& callee,
                                  Mismatch* mismatch);

// A signature with the types of its parameters, and a call with those of its arguments, as MindSpore's errors list
// them.
std::string text_of(const Overload& overload, const Callee& callee);
std::string text_of(const CallArguments& arguments, const Callee& callee);

// From (parameters, sources, target, compile, result_dtype, in_place); parameters are (name, aliases, kind, optional,
// required, passed), sources (number of a parameter or -1[, constant]).
Overload overload_from(PyObject* description);

}  // namespace ember::python
