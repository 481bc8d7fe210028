# Vector kernels are compiled once per instruction set from the same source; ops/isa.cpp chooses at run time.
find_path(FFI_INCLUDE ffi.h REQUIRED)
find_library(FFI_LIBRARY ffi REQUIRED)
target_include_directories(ember_ops PRIVATE ${FFI_INCLUDE})
target_link_libraries(ember_ops PUBLIC ${FFI_LIBRARY})
file(GLOB avx2_sources ${CMAKE_CURRENT_SOURCE_DIR}/ops/*_avx2.cpp)
set_source_files_properties(${avx2_sources} PROPERTIES COMPILE_OPTIONS "-mavx2;-mfma;-mf16c")
file(GLOB avx512_sources ${CMAKE_CURRENT_SOURCE_DIR}/ops/*_avx512.cpp)
set_source_files_properties(${avx512_sources} PROPERTIES COMPILE_OPTIONS
  "-mavx2;-mfma;-mf16c;-mavx512f;-mavx512bw;-mavx512dq;-mavx512vl;-mprefer-vector-width=512")
# -O3 also where the build type asks for less: the loops of the strip kernels must become vector code.
set(strip_flags "$<$<NOT:$<CONFIG:Debug>>:-O3>$<$<CXX_COMPILER_ID:Clang>:;-Wno-pass-failed>")
set_source_files_properties(ops/strips_portable.cpp PROPERTIES COMPILE_OPTIONS "${strip_flags}")
set_source_files_properties(ops/strips_avx2.cpp PROPERTIES COMPILE_OPTIONS "${strip_flags};-mavx2;-mfma;-mf16c")
set_source_files_properties(ops/strips_avx512.cpp PROPERTIES COMPILE_OPTIONS
  "${strip_flags};-mavx512f;-mavx512bw;-mavx512dq;-mavx512vl;-mfma;-mf16c;-mprefer-vector-width=512")
