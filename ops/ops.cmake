# Vector kernels are compiled once per instruction set from the same source; ops/isa.cpp chooses at run time.
find_path(FFI_INCLUDE ffi.h REQUIRED)
find_library(FFI_LIBRARY ffi REQUIRED)
target_include_directories(ember_ops PRIVATE ${FFI_INCLUDE})
target_link_libraries(ember_ops PUBLIC ${FFI_LIBRARY})
