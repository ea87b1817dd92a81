// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// A store's file in which every page ends with a checksum of the rest: written and verified below SQLite, so
// that nothing which was changed behind its back is ever read as a measurement.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

struct sqlite3;

namespace assay::results {

inline constexpr int page_checksum_bytes = 8;

/// The name of the file system layer (an SQLite VFS) that does this. SQLite has to be configured before.
const char* checked_files();

/// Of a page without its last 8 bytes. It depends on the page's number, so that a page in another's place is
/// found.
std::uint64_t page_checksum(std::span<const std::byte> page, std::int64_t number);

/// Where the latest read of this thread failed because a page does not match its checksum: "page 7 (bytes
/// 196608 to 229375)".
std::string damaged_page();

/// Reads every page of the connection's file, under a lock that keeps writers out. Throws DamagedStore naming
/// the first page that does not match.
void verify_pages(sqlite3* connection);

}  // namespace assay::results
