// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// The copies between ranks of an NVLink domain, all at the same time.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace assay::collectives {

enum class DomainPattern { pair, both_ways, ring, halves, one_to_all, all_to_one };
inline constexpr std::array<std::string_view, 6> domain_patterns{
    "pair", "both_ways", "ring", "halves", "one_to_all", "all_to_one"};  // by DomainPattern

struct DomainCopy {
  int from = 0, to = 0;  // ranks
  int arrival = 0;       // place among the copies that arrive at `to`
  bool operator==(const DomainCopy&) const = default;
};

/// A point as a struct.
struct DomainPlan {
  DomainPattern pattern = DomainPattern::pair;
  int ranks = 1, from = 0, to = 1;  // the last two where the pattern has such an end
  bool target_copies = false;       // its engine or kernel reads; else the source's writes
  bool by_kernel = false;           // else by a copy engine
  std::int64_t bytes = 16;          // of each copy; a kernel copies multiples of 16
  int blocks = 1;                   // of the kernel

  bool has_source() const;  // whether `from` means something
  bool has_target() const;
  int copier(const DomainCopy& copy) const { return target_copies ? copy.to : copy.from; }
};

/// Why these ranks have no such pattern, or the kernel cannot copy so much; empty where they have.
std::optional<std::string> no_such_pattern(const DomainPlan& plan);

std::vector<DomainCopy> copies_of(const DomainPlan& plan);
int arrivals_at(int rank, const std::vector<DomainCopy>& copies);

}  // namespace assay::collectives
