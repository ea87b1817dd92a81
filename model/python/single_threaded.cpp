// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// glibc's flag of the name, which code compiled for a program reads as if it were the program's own; a shared
// library cannot. This one says that there are threads, whose reference counts are atomic.
extern "C" {
[[gnu::visibility("hidden")]] extern const char __libc_single_threaded;
const char __libc_single_threaded = 0;
}
