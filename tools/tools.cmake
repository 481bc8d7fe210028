# Programs for people; none links Python. The extension module has vmtool's commands as well.
file(GLOB vmtool_sources CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/tools/vmtool/*.cpp)
list(FILTER vmtool_sources EXCLUDE REGEX "/main\\.cpp$")
add_library(vmtool_commands OBJECT ${vmtool_sources})
find_package(Zydis REQUIRED)
target_link_libraries(vmtool_commands PUBLIC ember_tiers Zydis::Zydis)
target_compile_options(vmtool_commands PRIVATE $<$<CONFIG:Release>:-O1>)
target_precompile_headers(vmtool_commands PRIVATE bytecode/graph/graph_builder.h)
add_executable(vmtool ${CMAKE_CURRENT_SOURCE_DIR}/tools/vmtool/main.cpp)
target_link_libraries(vmtool PRIVATE emberjit vmtool_commands)

# What the machine can do; tools/bench builds it.
add_executable(peak EXCLUDE_FROM_ALL ${CMAKE_CURRENT_SOURCE_DIR}/tools/peak.cpp)
target_link_libraries(peak PRIVATE Threads::Threads)
