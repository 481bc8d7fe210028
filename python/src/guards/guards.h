// Guards: what a captured graph relies on in Python. It serves a call only while all of it is as it was, by identity.
//
// Dicts and classes count their changes (ma_version_tag, tp_version_tag): while a count is the one of the last look,
// nothing in them can have changed; otherwise what was read is compared, and the new count kept. Where the running
// Python keeps no such count (for the fields of instances from 3.13 on; classes that have used theirs up) there is the
// comparison only.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "python/src/conversion/object.h"

namespace ember::python {

// Whether Python code could tell neither from the other: one object, or plain constants of the same type and bits.
bool same(PyObject* a, PyObject* b);

// The items of a list, set, dict (keys and values in turn) or other iterable.
Object content(PyObject* container);

// Whether attributes of a class can be set.
bool can_change(PyObject* cls);

// Which state of which class this is: a number that no other has, but for 0, if there is none.
uint64_t class_version(PyObject* cls);

// The names that a class itself defines, and what they stand for, in turn.
Object class_content(PyObject* cls);

// An exporter of a buffer: ((shape, format), the bytes), or where they are: ((shape, format), (address, strides)). None
// for what exports none.
Object buffer_state(PyObject* owner, bool with_bytes);

// What a guard looked at, what it held and what it met; NULL: nothing.
struct FailedGuard {
  const char* kind;
  Object owner, key, expected, now;
  bool of_numbers() const;  // whether it held one plain number, and met another of its class
};

class Guard {
 public:
  enum class Kind {
    Class,      // type(owner) is expected
    Type,       // (__mro__, (class, class_content), ...) of a class; key: the names that were read, or None for all
    Function,   // (__code__, __defaults__, __kwdefaults__)
    Fields,     // owner.__dict__ is expected
    Item,       // owner[key] of a dict
    Absent,     // key not in owner
    Element,    // owner[key] of a list
    Cell,       // a variable of a closure, or NULL
    Content,    // the items of a container; key: keys of a dict that do not matter
    Buffer,     // buffer_state
    Attribute,  // owner.key
    Missing,    // owner has no attribute key
    Call,       // owner()
  };
  static Kind kind_of(const std::string& name);
  static const char* name_of(Kind kind);

  Guard(Kind kind, Object owner, Object key, Object expected);
  bool holds() const;
  int visit(visitproc visit, void* arg) const;
  void add(const Guard& item);  // to a guard of the same dict
  // What a look at the owner finds while nothing has changed, for the kinds where that says it; 0: nothing says so.
  uint64_t mark() const;
  const char* kind_name() const { return name_of(kind); }
  std::vector<FailedGuard> failures() const;
  bool of_items() const { return kind == Kind::Item || kind == Kind::Absent; }

  Kind kind;
  Object owner;

 private:
  bool as_before() const;
  bool items_as_before() const;
  Object key_, expected_;
  std::vector<std::pair<Object, Object>> items_;  // of a dict: key, value or NULL
};

// Where a number or a Tensor from outside is found in each call: an item of a dict or a list, a variable of a closure,
// an attribute that a slot holds.
struct OutsidePlace {
  Guard::Kind kind;
  Object owner, key;
  // What is there, of no other class than `like`, and without hooks, which a gradient in the graph would not call; NULL
  // if there is no such.
  Object read(PyTypeObject* like) const;
};

// All guards of a graph. A call looks at their marks, which is a word each, and asks only those guards whose mark is
// new.
class Guards {
 public:
  void add(Guard guard);
  void finish();  // after the last
  bool hold();
  // Of the first that does not hold; while these are numbers, also of those after it.
  std::vector<FailedGuard> failures() const;
  size_t size() const { return count_; }
  int visit(visitproc visit, void* arg) const;

 private:
  struct Mark {
    Guard::Kind kind;
    PyObject* owner;
    uint64_t seen;
    bool is_new() const;
  };
  std::vector<Guard> guards_;  // in an order in which each is safe where those before it hold
  std::vector<Mark> marks_;    // of these, when they held last
  size_t count_ = 0;
};

}  // namespace ember::python
