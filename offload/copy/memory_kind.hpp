// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// The kinds of host memory a GPU copies from and to, and their names.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace assay::offload {

enum class MemoryKind {
  pinned,          // allocated page-locked by CUDA
  write_combined,  // the same, past the caches: quick for a GPU to read, slow for a CPU
  registered,      // ordinary pages, page-locked afterwards
  huge,            // the same with transparent huge pages
  pageable,        // not page-locked: the driver copies it through memory of its own
};

std::string to_string(MemoryKind kind);
std::vector<std::string> all_memory_kinds();
/// Throws a usage Error naming what is accepted.
MemoryKind memory_kind_from(std::string_view text);

}  // namespace assay::offload
