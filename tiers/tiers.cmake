find_path(XBYAK_INCLUDE xbyak/xbyak.h REQUIRED)
target_include_directories(ember_tiers PRIVATE ${XBYAK_INCLUDE})
