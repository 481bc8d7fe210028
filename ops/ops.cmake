# Vector kernels are compiled once per instruction set from the same source; ops/base/isa.cpp chooses at run time.
find_path(FFI_INCLUDE ffi.h REQUIRED)
find_library(FFI_LIBRARY ffi REQUIRED)
target_include_directories(ember_ops PRIVATE ${FFI_INCLUDE})
target_link_libraries(ember_ops PUBLIC ${FFI_LIBRARY})

# -O3 also where the build type asks for less: the loops of the kernels must become vector code. Not so under sanitizers,
# where that takes minutes.
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
  set_source_files_properties(${sources} PROPERTIES COMPILE_OPTIONS "${${isa}_flags}")
endforeach()
