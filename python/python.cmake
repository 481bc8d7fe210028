# The extension module, with what it links or loads, so that the installed package needs no library of the system:
# mimalloc, which gc loads privately, and vmtool's disassembler.
set(PYBIND11_FINDPYTHON ON)
find_package(Python REQUIRED COMPONENTS Interpreter Development.Module)
find_package(pybind11 CONFIG REQUIRED)
file(GLOB sources CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/python/src/*.cpp)
# What pybind11 binds is called seldom, and takes long to build; the rest is the way into every call, and comes first: the
# linker keeps the first copy of an inline function.
set(bindings ${sources})
list(FILTER bindings INCLUDE REGEX "/(module|bind_capture|grad|explain|samples|timeline)\\.cpp$")
list(REMOVE_ITEM sources ${bindings})
set_source_files_properties(${sources} PROPERTIES COMPILE_OPTIONS $<$<CONFIG:Release>:-O3>)
set_source_files_properties(${bindings} PROPERTIES COMPILE_OPTIONS $<$<CONFIG:Release>:-O1>)
pybind11_add_module(_emberjit MODULE NO_EXTRAS ${sources} ${bindings})
target_link_libraries(_emberjit PRIVATE emberjit vmtool_commands)
target_precompile_headers(_emberjit PRIVATE python/src/object.h bytecode/graph/graph_builder.h)
# pybind11's and CPython's own headers cast between function types.
target_compile_options(_emberjit PRIVATE -Wno-cast-function-type -Wno-missing-field-initializers)
target_link_options(_emberjit PRIVATE -Wl,--exclude-libs,ALL)
set_target_properties(_emberjit PROPERTIES INSTALL_RPATH $ORIGIN)

install(TARGETS _emberjit DESTINATION emberjit)
get_target_property(ZYDIS_LIBRARY Zydis::Zydis LOCATION)
foreach(library ${MIMALLOC_LIBRARY} ${ZYDIS_LIBRARY})
  emberjit_soname(${library} soname)
  file(REAL_PATH ${library} real)
  install(FILES ${real} DESTINATION emberjit RENAME ${soname})
endforeach()
