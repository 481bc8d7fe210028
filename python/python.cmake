# The extension module, with what it links or loads, so that the installed package needs no library of the system:
# mimalloc, which gc loads privately, and vmtool's disassembler.
set(PYBIND11_FINDPYTHON ON)
find_package(Python REQUIRED COMPONENTS Interpreter Development.Module)
find_package(pybind11 CONFIG REQUIRED)
file(GLOB_RECURSE sources CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/python/src/*.cpp)
# What pybind11 binds is called seldom, and takes long to build; the rest is the way into every call, and comes first: the
# linker keeps the first copy of an inline function.
set(bindings ${sources})
list(FILTER bindings INCLUDE REGEX "/(module|bind_capture|grad|explain|samples|timeline)\\.cpp$")
list(REMOVE_ITEM sources ${bindings})
set_source_files_properties(${sources} PROPERTIES COMPILE_OPTIONS $<$<CONFIG:Release>:-O3>)
set_source_files_properties(${bindings} PROPERTIES COMPILE_OPTIONS $<$<CONFIG:Release>:-O1>)
function(emberjit_module name)
  target_link_libraries(${name} PRIVATE emberjit vmtool_commands)
  target_precompile_headers(${name} PRIVATE python/src/conversion/object.h bytecode/graph/graph_builder.h)
  # pybind11's and CPython's own headers cast between function types.
  target_compile_options(${name} PRIVATE -Wno-cast-function-type -Wno-missing-field-initializers)
  target_link_options(${name} PRIVATE -Wl,--exclude-libs,ALL)
  set_target_properties(${name} PROPERTIES INSTALL_RPATH $ORIGIN)
endfunction()
pybind11_add_module(_emberjit MODULE NO_EXTRAS ${sources} ${bindings})
emberjit_module(_emberjit)

# The same for other versions of CPython, which share all but python/src, for tools/setup.sh to ask for.
set(EMBERJIT_OTHER_PYTHONS "" CACHE STRING "Interpreters, separated by semicolons")
foreach(interpreter ${EMBERJIT_OTHER_PYTHONS})
  execute_process(COMMAND ${interpreter} -c "from sysconfig import *; print(get_path('include'), get_config_var('EXT_SUFFIX'), sep=';')"
                  OUTPUT_VARIABLE found OUTPUT_STRIP_TRAILING_WHITESPACE COMMAND_ERROR_IS_FATAL ANY)
  list(GET found 0 include)
  list(GET found 1 suffix)
  add_library(_emberjit${suffix} MODULE EXCLUDE_FROM_ALL ${sources} ${bindings})
  emberjit_module(_emberjit${suffix})
  target_include_directories(_emberjit${suffix} SYSTEM PRIVATE ${include} ${pybind11_INCLUDE_DIR})
  set_target_properties(_emberjit${suffix} PROPERTIES PREFIX "" OUTPUT_NAME _emberjit SUFFIX ${suffix})
  install(TARGETS _emberjit${suffix} DESTINATION emberjit COMPONENT ${suffix} EXCLUDE_FROM_ALL)
endforeach()

install(TARGETS _emberjit DESTINATION emberjit)
get_target_property(ZYDIS_LIBRARY Zydis::Zydis LOCATION)
get_target_property(ZYCORE_LIBRARY Zycore::Zycore LOCATION)
foreach(library ${MIMALLOC_LIBRARY} ${ZYDIS_LIBRARY} ${ZYCORE_LIBRARY})
  emberjit_soname(${library} soname)
  file(REAL_PATH ${library} real)
  install(FILES ${real} DESTINATION emberjit RENAME ${soname})
endforeach()
