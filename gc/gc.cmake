# mimalloc is loaded privately at run time (gc/mimalloc.cpp); only its header is needed to build.
find_path(MIMALLOC_INCLUDE mimalloc.h REQUIRED)
target_include_directories(ember_gc PRIVATE ${MIMALLOC_INCLUDE})
target_link_libraries(ember_gc PUBLIC Threads::Threads ${CMAKE_DL_LIBS})
