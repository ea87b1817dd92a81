# SPDX-FileCopyrightText: The assay authors
# SPDX-License-Identifier: Apache-2.0
# Run at every build: rewrites the version file only when the revision changed.
execute_process(COMMAND git -C ${SOURCE_DIR} describe --always --dirty --abbrev=12
                OUTPUT_VARIABLE ASSAY_REVISION OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
if(NOT ASSAY_REVISION)
  set(ASSAY_REVISION unknown)
endif()
configure_file(${SOURCE_DIR}/harness/core/version.cpp.in ${OUTPUT} @ONLY)
