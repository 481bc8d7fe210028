# libffi is linked from its static archive where there is one, so that the module needs no library of the system for it.
find_path(FFI_INCLUDE ffi.h REQUIRED)
find_library(FFI_ARCHIVE NAMES libffi_pic.a ffi REQUIRED)
target_include_directories(ember_ops PRIVATE ${FFI_INCLUDE})
target_link_libraries(ember_ops PUBLIC ${FFI_ARCHIVE})

# The loops of kernels must become vector code, also where the build type asks for less than -O3. Not so under sanitizers,
# where that takes minutes. Kernels compiled once per instruction set have flags of their own, and no precompiled header.
if(EMBERJIT_SANITIZE)
  set(vector_flags -O1)
elseif(NOT CMAKE_BUILD_TYPE STREQUAL "Debug")
  set(vector_flags -O3)
endif()
if(CMAKE_CXX_COMPILER_ID STREQUAL "Clang")
  list(APPEND vector_flags -Wno-pass-failed)
endif()
set(avx2_flags ${vector_flags} -mavx2 -mfma -mf16c)
set(avx512_flags ${avx2_flags} -mavx512f -mavx512bw -mavx512dq -mavx512vl -mprefer-vector-width=512)
set(portable_flags ${vector_flags})
foreach(isa portable avx2 avx512)
  file(GLOB sources ${CMAKE_CURRENT_SOURCE_DIR}/ops/simd/*_${isa}.cpp)
  set_source_files_properties(${sources} PROPERTIES COMPILE_OPTIONS "${${isa}_flags}" SKIP_PRECOMPILE_HEADERS ON)
endforeach()
foreach(room program matmul fft kernels linalg defs eager table base tensor)
  file(GLOB sources ${CMAKE_CURRENT_SOURCE_DIR}/ops/${room}/*.cpp)
  set_source_files_properties(${sources} PROPERTIES COMPILE_OPTIONS "${vector_flags}")
endforeach()
# Run once for each expression.
set_source_files_properties(ops/expr/expand.cpp PROPERTIES COMPILE_OPTIONS $<$<CONFIG:Release>:-O1>)
