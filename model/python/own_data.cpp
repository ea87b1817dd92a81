// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Data of other libraries that code compiled for a program reads as the program's own, which a shared library
// cannot do: the extension has copies, which no other library sees.
#include <fmt/format.h>

/// glibc's: 0 says that there are threads, so that reference counts are atomic.
extern "C" char __libc_single_threaded;
char __libc_single_threaded = 0;

namespace assay::python {

/// Its type, from the headers alone.
fmt::format_error format_error_of_this_library() { return fmt::format_error(""); }

}  // namespace assay::python
