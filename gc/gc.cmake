# mimalloc is loaded privately at run time (gc/mimalloc.cpp), by the soname of the library that is found here.
find_path(MIMALLOC_INCLUDE mimalloc.h REQUIRED)
find_library(MIMALLOC_LIBRARY NAMES libmimalloc.so.2 mimalloc REQUIRED)

# The name in a shared library by which others load it.
function(emberjit_soname library soname)
  execute_process(COMMAND ${CMAKE_READELF} -d ${library} OUTPUT_VARIABLE dynamic COMMAND_ERROR_IS_FATAL ANY)
  if(NOT dynamic MATCHES "\\(SONAME\\)[^[]*\\[([^]]+)\\]")
    message(FATAL_ERROR "${library} is not a shared library with a soname")
  endif()
  set(${soname} ${CMAKE_MATCH_1} PARENT_SCOPE)
endfunction()

emberjit_soname(${MIMALLOC_LIBRARY} soname)
target_compile_definitions(ember_gc PRIVATE EMBER_MIMALLOC_SONAME="${soname}")
target_include_directories(ember_gc PRIVATE ${MIMALLOC_INCLUDE})
target_link_libraries(ember_gc PUBLIC Threads::Threads ${CMAKE_DL_LIBS})
