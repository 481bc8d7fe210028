# g++ 12 takes the inactive members of a std::variant for uninitialised ones here.
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  set_source_files_properties(vm/autograd/tape.cpp bytecode/transforms/forward.cpp PROPERTIES COMPILE_OPTIONS "-Wno-maybe-uninitialized")
endif()
