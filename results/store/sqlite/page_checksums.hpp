// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// A store's file in which every page ends with a checksum of the rest: written and verified below SQLite, so
// that nothing which was changed behind its back is ever read as a measurement.
#pragma once

#include <string>

struct sqlite3;

namespace assay::results {

inline constexpr int page_checksum_bytes = 8;

/// The name of the file system layer (an SQLite VFS) that does this. SQLite has to be configured before.
const char* checked_files();

/// The page whose checksum mismatch made the latest read of this thread fail: "page 7 (bytes 196608 to
/// 229375)".
std::string damaged_page();

/// Reads every page of the connection's file that no connection of this process has read yet, and found to
/// match, under a lock that keeps writers out. Throws DamagedStore naming the first page that does not match.
void verify_pages(sqlite3* connection);

}  // namespace assay::results
