// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Bytes on links between switches of very many equal flows to one leaf at a time: how many of its flows a
// switch sends over each of its links is drawn. An ideal hash deals flows out so: loads have the same
// distribution over seeds as if each flow were hashed, but a seed's own loads differ.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "model/fabric/routing/routing.hpp"

namespace assay::model::fabric {

/// Whether counts may be drawn: every switch hashes by itself, ideally, and paths go up and then down.
bool can_draw(const RoutingSettings& settings, const Topology& topology);

class DrawnFlows {
 public:
  /// `router` must outlive it, and can_draw() hold of it.
  explicit DrawnFlows(const Router& router);

  /// Adds flows of nearly equal size from another leaf to this one, with all of their bytes.
  void add(NodeId from, std::uint64_t flows, std::uint64_t bytes) { up_[from] += {flows, bytes}; }
  /// Deals out what was added since the last call, which must be for this leaf; `draw` numbers the calls for
  /// one leaf.
  void deal_out(NodeId leaf, std::uint64_t draw);

  const std::vector<std::uint64_t>& bytes_of_links() const { return bytes_; }

 private:
  struct Held {
    std::uint64_t flows = 0, bytes = 0;

    void operator+=(const Held& more) {
      flows += more.flows;
      bytes += more.bytes;
    }
  };

  void deal(NodeId at, Held held, std::span<const LinkId> links);
  void draw_counts(std::uint64_t flows, std::size_t links);
  std::uint64_t draw_first(std::uint64_t flows, std::size_t links);
  std::uint64_t random();

  const Router* router_;
  std::vector<std::uint64_t> bytes_;
  std::vector<Held> up_, down_;        // at each node, on the way up and down
  std::vector<std::uint64_t> counts_;  // of flows on each link of a switch
  std::uint64_t state_ = 0;            // of the random numbers
};

}  // namespace assay::model::fabric
