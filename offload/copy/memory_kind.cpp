// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "offload/copy/memory_kind.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <array>
#include <utility>

#include "harness/core/error.hpp"

namespace assay::offload {
namespace {

constexpr std::array<std::pair<std::string_view, MemoryKind>, 5> memory_kind_names{
    {{"pinned", MemoryKind::pinned},
     {"write_combined", MemoryKind::write_combined},
     {"registered", MemoryKind::registered},
     {"huge", MemoryKind::huge},
     {"pageable", MemoryKind::pageable}}};

}  // namespace

std::string to_string(MemoryKind kind) {
  for (const auto& [name, one] : memory_kind_names)
    if (one == kind) return std::string(name);
  return {};
}

std::vector<std::string> all_memory_kinds() {
  std::vector<std::string> all;
  for (const auto& [name, kind] : memory_kind_names) all.emplace_back(name);
  return all;
}

MemoryKind memory_kind_from(std::string_view text) {
  for (const auto& [name, kind] : memory_kind_names)
    if (name == text) return kind;
  core::usage_error(fmt::format("memory={}: expected one of {}", text, fmt::join(all_memory_kinds(), ", ")));
}

}  // namespace assay::offload
