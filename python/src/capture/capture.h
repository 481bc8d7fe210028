// A capture: a graph module under construction on this thread, and the stack of graphs being written (the entry,
// branches and loop bodies inside it, functions to be differentiated). Tensors of a capture are pending values that
// know their graph; one of an outer graph that is used in an inner one becomes a parameter there. Tensors from outside
// become hidden inputs of the whole capture, Parameters as references; so later calls see their current values.
#pragma once

#include <deque>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <vector>

#include "bytecode/graph/graph_builder.h"
#include "bytecode/passes/passes.h"
#include "bytecode/transforms/transforms.h"
#include "ops/eager/viewed.h"
#include "python/src/guards/guards.h"
#include "python/src/tensor/tensor.h"

namespace ember::python {

class Capture;

// A captured value: its graph (levels are numbered and never used again) and its id there.
struct Traced {
  uint64_t level = 0;
  bytecode::ValueId id = 0;
  friend auto operator<=>(const Traced&, const Traced&) = default;
};

// How a Tensor of a capture views another one, which is its base.
struct ViewOf {
  Object base;
  std::vector<ops::ViewStep> steps;
};

class TracedTensor final : public vm::Pending {
 public:
  TracedTensor(std::shared_ptr<Capture> capture, Traced traced, ops::Type type)
      : capture(std::move(capture)), traced(traced), type_(std::move(type)) {}
  ops::Type type() const override { return type_; }
  ops::Tensor force(const char* wanted) override;
  const std::shared_ptr<Capture> capture;
  const Traced traced;
  // Each shared with others that would, or might, see a write: views, and what a condition makes of one of two Tensors.
  std::vector<std::shared_ptr<char>> memory = {std::make_shared<char>()};
  std::optional<ViewOf> view;  // if it is known how
  ops::LayoutRef layout;       // by hints of sizes, as Python has it; null: not known
  bool rewritten = false;      // its value was not computed from that of what it views

 private:
  ops::Type type_;
};

// A Python number that differs from call to call: an expression of the capture's symbols, or a run-time value of the
// graph.
struct PyNumber {
  PyObject_HEAD std::shared_ptr<Capture> capture;
  ops::ExprId expr;  // 0: none
  Traced traced;     // without an expression
  ops::Kind kind;
  uint8_t bits;  // a run-time Int's magnitude is below 2^bits; 64: no bound
};
constexpr uint8_t kIntBits = 31;
constexpr uint8_t kNoBound = 64;
extern PyTypeObject NumberType;  // the base of those of the kinds, which have the names of Python's classes
inline bool is_number(PyObject* o) { return Py_TYPE(o)->tp_base == &NumberType; }
bool is_scalar(PyObject* o);  // Python's numbers too: an op's operands as they are
Object new_number(ops::Kind kind);
void add_numbers(PyObject* module);
inline PyNumber* as_number(PyObject* o) { return reinterpret_cast<PyNumber*>(o); }

// A finished inner graph: what it took from outside itself, in the order of its parameters after the declared ones.
struct InnerGraph {
  bytecode::GraphId graph = bytecode::kNoId;
  size_t declared = 0;
  std::vector<Traced> lifted;  // values of the level that was current when it began
  bool raises = false;         // it has an op of which an error depends on elements
};

// The vjp of a call that was linearised: its backward graph, the results whose cotangents it takes, its residuals.
struct CapturedVjp {
  std::shared_ptr<Capture> capture;
  bytecode::GraphId graph = bytecode::kNoId;
  std::vector<uint32_t> results;
  std::vector<Object> residuals;
};

struct HiddenInput {
  Object tensor;
  bytecode::ValueId param;
};

// A number or a Tensor from outside that each call reads anew.
struct OutsideValue {
  OutsidePlace place;
  PyTypeObject* type;
  bytecode::ValueId param;
};

// Where a Tensor is outside that is an operand of the graph already.
struct OutsideAlias {
  OutsidePlace place;
  size_t operand;
};

class Capture : public std::enable_shared_from_this<Capture> {
 public:
  explicit Capture(std::string name);
  ~Capture();

  Object add_input(PyObject* example, const std::string& name);  // a Tensor, int, float or bool
  // Applies an op inside this capture; operands as Python objects (null: absent).
  Object apply(const ops::Op& op, std::span<PyObject* const> operands, const ops::Attrs& attrs);
  ops::Value lift(PyObject* operand);  // as a value of the current graph
  Object wrap_value(const ops::Value& v);
  // An array from outside, which the graph reads in each call where code makes a Tensor of it; false if it shares no
  // memory.
  bool add_array(PyObject* array);
  PyObject* find_array(PyObject* array) const;  // a Tensor over the array's memory, or null

  bool has_views(PyObject* tensor) const { return !views_of(tensor).empty(); }  // that live

  // Parameters are like the examples, without those axes that in_axes names.
  std::vector<Object> begin_graph(const std::string& name, std::span<PyObject* const> examples,
                                  std::span<const int64_t> in_axes = {});
  // The same for a graph that is called more than once, with the operands as examples. Within it those that are `known`
  // by their traced values are parameters as well. With `keep` the calls stay; otherwise they are inlined.
  std::vector<Object> begin_shared(const std::string& name, std::span<PyObject* const> operands,
                                   std::span<const char> known, bool keep);
  // To be said next of a graph that calls itself: it is going to take from outside, and to return, what `before` does,
  // a graph of the same code that called something else in its own place. Answers what can be called within it already.
  InnerGraph declare_like(const InnerGraph& before);
  bool alike(const InnerGraph& a, const InnerGraph& b) const;  // in what they take from outside, and return
  InnerGraph end_graph(std::span<PyObject* const> results);
  void abandon_graph();  // leaves the innermost graph unfinished
  // Leaves the innermost graph, to go on with it later where the same graphs are around it; returns its number.
  uint64_t suspend_graph();
  void resume_graph(uint64_t number);
  void splice_graph(uint64_t number);  // makes what a suspended graph holds a part of the current one, around it
  std::vector<Object> if_else(PyObject* condition, InnerGraph then_graph, InnerGraph else_graph);
  std::vector<Object> while_loop(std::span<PyObject* const> carried, InnerGraph condition, InnerGraph body);
  // Whether what a graph took from outside itself still is outside the current graph, so that it can be called.
  bool can_call(const InnerGraph& graph) const;
  // The traced value of a Tensor or number; nothing if it was made during the capture without a node.
  std::optional<Traced> find_traced(PyObject* value);
  std::vector<Object> call(const InnerGraph& graph, std::span<PyObject* const> operands);  // of declared parameters
  // The same of another module's entry. Raises if it was not made for such operands.
  std::vector<Object> call_module(const bytecode::Module& module, std::span<PyObject* const> operands);
  // Calls a graph whose gradient is another one: that takes the cotangents of the results, the operands and the
  // results, and returns the cotangents of the operands.
  std::vector<Object> call_with_gradient(InnerGraph graph, InnerGraph gradient, std::span<PyObject* const> operands);
  // The same for a graph that has been called, whose operands are known: `gradient` may take nothing else from outside.
  void set_gradient(const InnerGraph& graph, const InnerGraph& gradient);
  // The graph of the batched function, to be called with the same operands.
  InnerGraph batched(const InnerGraph& graph, std::vector<int64_t> in_axes, std::span<const int64_t> out_axes,
                     ops::Dim size);
  // Calls a graph, and returns its results and its vjp.
  std::pair<std::vector<Object>, CapturedVjp> linearise(const InnerGraph& graph, std::span<PyObject* const> operands,
                                                        const std::vector<uint32_t>& wrt,
                                                        std::span<PyObject* const> parameters, uint32_t differentiable);
  // From cotangents of the differentiable results to those of what was differentiated by.
  std::vector<Object> vjp(const CapturedVjp& vjp, std::span<PyObject* const> cotangents);
  Object push(PyObject* stack, std::span<PyObject* const> values);
  std::vector<Object> pop(PyObject* stack,
                          std::span<PyObject* const> examples);  // the stack below, then values like these
  void set_recompute(const InnerGraph& graph) { module_.graph(graph.graph).recompute = true; }

  // Leaves all graphs, the innermost first. A capture has to be left before another one ends (SymbolScope is a stack),
  // however long its Tensors live.
  void close();
  // The capture is over. With `contents`, the graph returns also what the Parameters that it writes hold at the end.
  void finish(std::span<PyObject* const> results);
  const std::vector<HiddenInput>& hidden_inputs() const { return hidden_; }
  std::vector<size_t> written_hidden() const;  // numbers of hidden inputs that the graph may write
  // A symbol for a number that is there, an input like an argument for a Tensor.
  Object add_outside(OutsidePlace place, PyObject* example, const std::string& name);
  const std::vector<OutsideValue>& outside_values() const { return outside_; }  // behind the hidden inputs
  void add_alias(OutsidePlace place, PyObject* input);  // of an argument, or of what lies elsewhere outside
  std::vector<OutsideAlias> aliases() const;            // once the capture is over
  bool writes_outside_tensor() const;                   // one of these, or what views it
  // Behind these, those that are expressions.
  std::vector<ops::Kind> computed_inputs() const;

  // Gives a Tensor another value, and remembers the one before.
  void write(PyObject* tensor, vm::Value now);
  // Writes elements of a Tensor: what it views has them then, too, and all views of that. Raises where it shares memory
  // otherwise, or comes from outside.
  void write_elements(PyObject* tensor, PyObject* updated);
  // To be said before and after an op writes a Parameter.
  void check_writable(PyObject* tensor) const;
  void renew_views(PyObject* base);
  // Whether writes count on arguments, and what comes from outside, to be dense: what views they have depends on it.
  bool needs_dense() const { return needs_dense_ && relies_on_views_; }
  // With another living Tensor; `except`: what it shares with these does not count.
  bool shares_memory(PyObject* tensor, std::span<PyObject* const> except = {}) const;
  void share_memory(PyObject* viewed, PyObject* view);
  // For each of these: whether it has memory of its own, as Python sees it: neither an argument's, nor that of
  // something from outside, nor that of another one.
  std::map<PyObject*, std::set<PyObject*>> families(std::span<PyObject* const> results) const;  // by what they view
  void check_certain(std::span<PyObject* const> results) const;
  const bytecode::Node* node_of(bytecode::ValueId id) const;
  const bytecode::Node* viewing_node(bytecode::ValueId id) const;
  bool computes_alike(PyObject* a,
                      PyObject* b);  // whether the graph of this level makes both by the same ops of the same
  std::vector<bool> own_memory(std::span<PyObject* const> results) const;
  bool made_here(PyObject* tensor) const;  // eagerly, while this capture ran
  size_t writes() const { return writes_.size(); }
  bool writes_elements() const { return writes_elements_; }  // whether it ever did
  // How many ops and calls have been recorded whose errors depend on elements, so that only runs of the graph raise
  // them.
  size_t raising() const { return raising_; }
  // Raises an error when the graph runs; the operands are Tensors and numbers.
  void add_raise(const std::string& text, int64_t number, std::span<PyObject* const> operands);
  // Takes back all writes after the first `mark` but those of Tensors that were made in graphs begun after `latest`;
  // returns the Tensors and what they were made.
  std::vector<std::pair<Object, Object>> undo(size_t mark, uint64_t latest);
  struct View {
    bool reordered = false;  // its elements are in another order, or not all
    bool of_parameter = false;
  };
  View view_of(PyObject* tensor) const;
  bool has_written(PyObject* tensor) const;
  std::vector<std::pair<size_t, Object>> written_inputs() const;  // number of the argument, its value now
  void forget_inputs();                                           // they hold this capture
  const bytecode::Module& module() const { return module_; }

  Object truth(PyObject* o);      // a Tensor of one element or a number, as a Bool number
  Object to_number(PyObject* o);  // a Tensor of one element as a number, through which no gradient flows, as in Python
  // Likewise, or a number, as an Int of 31 bits. Where it has more, the run of the graph ends: Python is to run
  // instead.
  Object to_int(PyObject* o);
  void require_trip(PyObject* condition);  // ends the run of the graph likewise if this is false
  bool checks_ints() const { return checks_ints_; }
  bool needs_trips() const { return needs_trips_; }
  bool writes_memory() const;         // whether a run of the graph may write to memory that others see
  bool acts() const;                  // whether a run of the graph that ends by an error may have changed something
  ops::Type graph_type(PyObject* o);  // in the graph
  Object convert(PyObject* o, const ops::Type& type);  // a number or Tensor, cast and broadcast to a type

  ops::SymbolTable& symbols() { return module_.symbols; }
  void pin(ops::ExprId id) { module_.symbols.pin(id); }
  Object number_of(ops::ExprId id);     // a plain number if it is constant
  bool of_sizes(ops::ExprId id) const;  // alone
  Object run_time(PyObject* symbolic);  // the same number, of which Python does not know the value
  // A symbolic Int as a run-time one of kIntBits, which is guarded, or pinned; others as they are.
  Object bounded(PyObject* symbolic);
  void set_source(const std::string& file, uint32_t line);
  uint32_t source_line() const { return followed_.line; }
  std::string source_place() const;  // "file:line" of the user's code that is followed, or nothing
  bool changes = false;              // captured code has changed what is not its own: no op recorded later may raise
  bool refused = false;  // an op or the capture raised: the graph is of no use, even if somebody caught that
  bytecode::GraphBuilder& builder() { return *levels_.back()->builder; }
  uint64_t level() const { return levels_.empty() ? 0 : levels_.back()->number; }
  uint64_t latest() const { return level_numbers_.back(); }  // the number of the graph that was begun last
  std::vector<std::unique_ptr<class CaptureScope>> entered;  // by Python's with

 private:
  struct Level {
    uint64_t number;
    std::unique_ptr<bytecode::GraphBuilder> builder;
    size_t declared = 0;
    std::vector<Traced> lifted;
    std::map<Traced, bytecode::ValueId> local;
    size_t raising = 0;  // how many had been recorded when it began
  };
  bytecode::ValueId local_id(size_t depth, Traced traced);
  Traced hidden(PyObject* tensor);
  Traced own(const ops::Value& v);
  ops::Values lift_all(std::span<PyObject* const> objects);
  void push_level(bytecode::GraphId graph, size_t declared);
  void unify_lifted(InnerGraph& a, InnerGraph& b);
  bool is_stale(const InnerGraph& graph) const;
  std::vector<Object> zeros_like_results(const InnerGraph& graph);
  void check_finished(const InnerGraph& graph) const;  // raises if it calls a graph that is still being written
  bytecode::GradOptions options(InnerGraph& graph, const std::vector<uint32_t>& wrt,
                                std::span<PyObject* const> parameters);
  std::vector<ops::Value> lifted_values(const std::vector<Traced>& lifted);
  std::vector<Object> wrap_all(const ops::Values& values);
  ops::Type input_type(PyObject* example, const std::string& name);  // with symbols for its sizes
  Object wrap_input(Traced traced, const ops::Type& type, PyObject* example);
  ops::ExprId add_symbol(PyObject* example, ops::Kind kind, const std::string& name);
  Object add_number(PyObject* example, ops::Kind kind, const std::string& name);
  Traced traced_of(ops::ExprId id);
  void order_params();

  bytecode::Module module_;
  std::vector<std::unique_ptr<Level>> levels_;
  std::vector<std::unique_ptr<Level>> suspended_;
  struct Input {
    Object value;
    Traced traced;
  };
  struct Write {
    Object tensor;
    vm::Value before;
  };
  void share_viewed(const ops::Op& op, std::span<PyObject* const> operands, const ops::Values& values,
                    const ops::Attrs& attrs, const std::vector<Object>& results);
  std::span<const std::shared_ptr<char>> memory_of(PyObject* tensor) const;
  TracedTensor* traced_tensor(const vm::Value& value) const;  // null if it is another value
  TracedTensor* traced_tensor(PyObject* tensor) const;
  PyObject* root_of(PyObject* tensor, size_t* depth = nullptr) const;  // `depth` grows by the views between
  std::vector<PyObject*> views_of(PyObject* root) const;               // what lives of them, bases first
  enum class Sharing : uint8_t { None, Known, Possible };
  Sharing view_made(const ops::Viewed& viewed, PyObject* base, ops::LayoutRef* layout);
  bool views_written_input(PyObject* tensor) const;
  vm::Value renewed(vm::Value now, PyObject* tensor) const;
  void renew(PyObject* view);
  ops::Value contents(PyObject* tensor);  // of a Parameter what it holds
  std::map<PyObject*, ops::Value> owned_roots(std::span<PyObject* const> results);
  ops::Value as_result(PyObject* o, const std::map<PyObject*, ops::Value>& owned);
  // Integers that a graph takes or chooses are small enough for counters to stay below 2^62.
  void bound_integers(std::span<PyObject* const> values);
  void set_source_to_caller();
  void note_path();  // of the calls that lead to the op that is next, of which a run may raise an error

  bytecode::Source followed_;  // what set_source said; line 0: nobody follows the user's code, frames tell its line

  std::vector<Input> inputs_;
  std::vector<Write> writes_;
  std::vector<uint64_t> level_numbers_;                      // of all levels so far
  std::map<PyObject*, std::shared_ptr<char>> outer_memory_;  // of real Tensors of which views were taken
  std::vector<HiddenInput> hidden_;
  std::vector<OutsideValue> outside_;
  std::vector<Input> outside_tensors_;  // those of them that are Tensors
  std::vector<std::pair<OutsidePlace, bytecode::ValueId>> aliases_;
  std::map<PyObject*, size_t> hidden_index_;
  std::map<PyObject*, Object> arrays_;
  std::map<ops::ExprId, Traced> numbers_;    // expressions that are parameters of the entry
  std::vector<bytecode::ValueId> computed_;  // of these, which are no arguments
  std::vector<ops::ExprId> number_symbols_;  // symbols that are no sizes
  void check_unchanged() const;              // to be said before each of them
  size_t raising_ = 0;
  bool checks_ints_ = false, needs_trips_ = false;
  bool writes_elements_ = false;
  bool needs_dense_ = false, relies_on_views_ = false;
};

Capture* current_capture();  // of this thread; null if none
uint64_t current_level();    // 0 if none
void refuse_current_capture();

// Makes a capture current for its lifetime; null suspends the current one (to compute something now).
class CaptureScope {
 public:
  explicit CaptureScope(Capture* capture);
  ~CaptureScope();

 private:
  Capture* previous_;
};

bool captured(PyObject* o);  // a pending tensor or a number of a capture

// The elements of a Tensor decide what is captured, if something is: no other elements are served by it.
void note_elements_read(PyObject* tensor);

// What cannot be captured: a TypeError that captured code does not catch.
extern PyObject* capture_error;

}  // namespace ember::python
