// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Files in one file, as `tar` reads them (POSIX ustar). There is exactly one way to write the same files, so
// that any byte that is not as written here shows.
// What shows that they are as they were: SHA256SUMS, which `sha256sum -c` reads, and CHAIN, in which each
// line is the digest of the line before and of the next member. The last of these is the seal: who keeps it
// elsewhere detects a bundle that someone rebuilt.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "harness/core/files/byte_stream.hpp"
#include "harness/core/files/long_text.hpp"
namespace assay::results {

struct Member {
  std::string name;
  core::LongText content;

  bool operator==(const Member&) const = default;
};

/// The header of a member of that many bytes. No owner and no time: equal files make equal headers.
/// Throws std::runtime_error with one line for 8 GiB and more, which it cannot hold.
std::string tar_header(std::string_view name, std::size_t size);

/// Names of letters, digits and . _ - / only, 100 bytes at most, that lead nowhere else (no ..); throws
/// std::invalid_argument for another. Else as tar_header().
void write_tar(std::span<const Member> members, const core::ByteSink& sink);

/// Throws std::runtime_error with one line for anything that write_tar() would not have written, naming the
/// member at that place; `where` names the archive in messages.
std::vector<Member> from_tar(const core::ByteSource& source, const std::string& where);

/// Adds SHA256SUMS and CHAIN behind the members; returns the seal.
std::string add_chain(std::vector<Member>& members);

/// Verifies members with their chain; returns the seal. Throws std::runtime_error with one line naming the
/// member that was altered, lost or added.
std::string require_intact(std::span<const Member> members, const std::string& where);

}  // namespace assay::results
