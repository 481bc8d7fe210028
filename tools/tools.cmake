# Programs for people; none links Python.
add_executable(vmtool ${CMAKE_CURRENT_SOURCE_DIR}/tools/vmtool/main.cpp)
target_link_libraries(vmtool PRIVATE emberjit vmtool_commands)

# What the machine can do; tools/bench builds it.
add_executable(peak EXCLUDE_FROM_ALL ${CMAKE_CURRENT_SOURCE_DIR}/tools/peak.cpp)
target_link_libraries(peak PRIVATE Threads::Threads)
