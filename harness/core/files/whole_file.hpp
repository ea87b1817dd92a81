// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// A file that is either complete or absent: a reader never sees half of it.
#pragma once

#include <string>
#include <string_view>

#include "harness/core/files/byte_stream.hpp"

namespace assay::core {

/// A regular file, or none yet: written under another name next to it, then renamed over it. A symbolic link
/// stays, and what it points to is replaced. A device, a FIFO or this process's own standard output is
/// written into and never replaced. Throws a usage Error naming the file and why; a regular file is then as
/// it was.
void write_whole_file(const std::string& file, std::string_view bytes);
/// Writes the bytes that `write` gives, as the other write_whole_file() does. An exception of `write` leaves
/// a regular file as it was, too.
void write_whole_file(const std::string& file, const ByteWriter& write);

/// 0, or the errno of the write that did not go through. What did go through stays in the file.
int write_bytes(int descriptor, std::string_view bytes);

/// read_input() of a file of any kind, of up to 512 MiB.
std::string read_whole_file(const std::string& file);

}  // namespace assay::core
