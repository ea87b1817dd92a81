# SPDX-FileCopyrightText: The assay authors
# SPDX-License-Identifier: Apache-2.0
# What is installed searches libraries in its own lib/ alone: the folders of the build machine leave the RPATH.
set(prefix "$ENV{DESTDIR}${CMAKE_INSTALL_PREFIX}")
file(GLOB_RECURSE installed LIST_DIRECTORIES false ${prefix}/bin/* ${prefix}/libexec/* ${prefix}/lib/*/*.so)
foreach(file ${installed})
  file(READ ${file} magic LIMIT 4 HEX)
  if(IS_SYMLINK ${file} OR NOT magic STREQUAL "7f454c46")
    continue()
  endif()
  cmake_path(GET file PARENT_PATH folder)
  file(RELATIVE_PATH to_lib ${folder} ${prefix}/lib)
  string(REGEX REPLACE "/$" "" to_lib "${to_lib}")
  file(RPATH_SET FILE ${file} NEW_RPATH "$ORIGIN/${to_lib}")
endforeach()
