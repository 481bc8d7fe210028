# Programs for people; none links Python.
file(GLOB vmtool_sources CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/tools/vmtool/*.cpp)
add_executable(vmtool ${vmtool_sources})
target_include_directories(vmtool PRIVATE ${CMAKE_CURRENT_SOURCE_DIR})
find_package(Zydis REQUIRED)
target_link_libraries(vmtool PRIVATE emberjit Zydis::Zydis)
target_compile_options(vmtool PRIVATE $<$<CONFIG:Release>:-O1>)
target_precompile_headers(vmtool PRIVATE bytecode/graph/graph_builder.h)

# What the machine can do; tools/bench builds it.
add_executable(peak EXCLUDE_FROM_ALL ${CMAKE_CURRENT_SOURCE_DIR}/tools/peak.cpp)
target_link_libraries(peak PRIVATE Threads::Threads)
