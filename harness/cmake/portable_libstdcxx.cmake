# SPDX-FileCopyrightText: The assay authors
# SPDX-License-Identifier: Apache-2.0
# The libstdc++ that packages carry, linked from the distribution's kit (Debian's libstdc++-N-pic) so that it starts with
# glibc 2.34: the shared library of Debian 12 takes arc4random from glibc 2.36. Without the kit packages carry the
# compiler's own library, and need the glibc that it needs.
set(ASSAY_PORTABLE_LIBSTDCXX OFF)
foreach(file libstdc++_pic.a libstdc++_pic.map)
  execute_process(COMMAND ${CMAKE_CXX_COMPILER} -print-file-name=${file} OUTPUT_VARIABLE ${file} OUTPUT_STRIP_TRAILING_WHITESPACE)
  if(NOT IS_ABSOLUTE "${${file}}")
    return()
  endif()
endforeach()
if(ASSAY_SANITIZE OR ASSAY_FUZZ)
  return()
endif()
set(ASSAY_PORTABLE_LIBSTDCXX ON)

add_library(portable_libstdcxx SHARED ${CMAKE_CURRENT_LIST_DIR}/arc4random.cpp)
set_target_properties(portable_libstdcxx PROPERTIES OUTPUT_NAME stdc++ SOVERSION 6 UNITY_BUILD OFF
                      LIBRARY_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/portable)  # not where programs of this build look
target_compile_options(portable_libstdcxx PRIVATE -Wall -Wextra -Werror)
target_link_options(portable_libstdcxx PRIVATE
  "LINKER:--whole-archive,${libstdc++_pic.a},--no-whole-archive,--version-script=${libstdc++_pic.map}" -nodefaultlibs)
set_target_properties(portable_libstdcxx PROPERTIES LINK_DEPENDS "${libstdc++_pic.map}")
target_link_libraries(portable_libstdcxx PRIVATE m c gcc_s)
install(TARGETS portable_libstdcxx LIBRARY DESTINATION lib NAMELINK_SKIP)
