// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// The ranks that take part in the exchanges of traces.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "model/workload/chakra/group_members.hpp"
#include "model/workload/chakra/trace.hpp"

namespace assay::model::workload {

/// The groups that exchanges run in: the ranks that a trace states. With a single trace, which stands for
/// ranks that do as it does, every rank is in a group of the same form; a group that the trace does not state
/// is all ranks. With several, a group that is not stated is the ranks that name it.
class TracedGroups {
 public:
  /// Exchanges of all traces are alike in number, kind and size. Throws a usage Error for a rank in a group
  /// from `ranks` on.
  TracedGroups(std::span<const Trace> traces, std::uint32_t ranks);

  /// The groups of the exchange at that place, as rank_groups.hpp has them; empty where all have one rank.
  std::string of(std::size_t exchange) const;

  /// The size of its groups; nothing where they differ.
  std::optional<std::uint32_t> size_of(std::size_t exchange) const;

  /// The size of the groups of every exchange; nothing where the groups of one differ.
  std::optional<std::vector<std::uint32_t>> sizes() const;

  /// Assumptions about groups, for people.
  const std::vector<std::string>& notes() const { return notes_; }

 private:
  struct Shape {
    std::string text;
    std::uint32_t size = 0;
  };

  Shape of_members(const Members& members) const;
  Shape all() const;
  Shape alike(const std::string& name, const Members& members);
  void resolve_single();
  void resolve_several();
  const Shape& shape(std::size_t rank, std::size_t exchange) const;

  std::span<const Trace> traces_;
  std::uint32_t ranks_;
  std::vector<std::vector<const TraceNode*>> by_rank_;
  std::vector<std::map<std::string, Shape>> shapes_;  // of each rank, by name
  std::vector<std::string> notes_;
};

}  // namespace assay::model::workload
