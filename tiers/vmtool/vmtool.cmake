# The commands of vmtool, which the program and the extension module have.
file(GLOB vmtool_sources CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/tiers/vmtool/*.cpp)
add_library(vmtool_commands OBJECT ${vmtool_sources})
find_package(Zydis REQUIRED)
target_link_libraries(vmtool_commands PUBLIC ember_tiers Zydis::Zydis)
target_compile_options(vmtool_commands PRIVATE $<$<CONFIG:Release>:-O1>)
target_precompile_headers(vmtool_commands PRIVATE bytecode/graph/graph_builder.h)
