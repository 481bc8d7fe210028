# The library for C and C++ (emberjit.h, emberjit.hpp): cmake --install --component embed, then find_package(emberjit) and
# emberjit::emberjit.
include(CMakePackageConfigHelpers)
include(GNUInstallDirs)
add_library(emberjit_embed SHARED)
target_link_libraries(emberjit_embed PRIVATE emberjit)
set_target_properties(emberjit_embed PROPERTIES OUTPUT_NAME emberjit EXPORT_NAME emberjit VERSION ${PROJECT_VERSION}
                                                SOVERSION ${PROJECT_VERSION_MAJOR})
target_include_directories(emberjit_embed INTERFACE $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)
target_compile_features(emberjit_embed INTERFACE cxx_std_20)
target_link_options(emberjit_embed PRIVATE LINKER:--exclude-libs,ALL)

install(TARGETS emberjit_embed EXPORT emberjit COMPONENT embed EXCLUDE_FROM_ALL)
install(FILES ${CMAKE_CURRENT_SOURCE_DIR}/tiers/embed/emberjit.h ${CMAKE_CURRENT_SOURCE_DIR}/tiers/embed/emberjit.hpp
        DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/emberjit COMPONENT embed EXCLUDE_FROM_ALL)
install(EXPORT emberjit NAMESPACE emberjit:: FILE emberjit-config.cmake
        DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/emberjit COMPONENT embed EXCLUDE_FROM_ALL)
write_basic_package_version_file(${CMAKE_BINARY_DIR}/emberjit-config-version.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${CMAKE_BINARY_DIR}/emberjit-config-version.cmake
        DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/emberjit COMPONENT embed EXCLUDE_FROM_ALL)
