// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// A transport as a group of its ranks sees it: ranks are places in the group.
#pragma once

#include <algorithm>
#include <utility>

#include "collectives/rank_groups.hpp"
#include "collectives/transport/transport.hpp"

namespace assay::collectives {

class GroupTransport final : public Transport {
 public:
  /// `beneath`, whose rank is in the group, must outlive it. Groups may share a transport one after the
  /// other.
  GroupTransport(Transport& beneath, RankGroup group)
      : beneath_(beneath),
        group_(std::move(group)),
        rank_(static_cast<int>(std::ranges::find(group_, beneath.rank()) - group_.begin())) {}

  int rank() const override { return rank_; }
  int size() const override { return static_cast<int>(group_.size()); }
  void send(int to, std::span<const std::byte> bytes) override { beneath_.send(member(to), bytes); }
  void receive(int from, std::span<std::byte> bytes) override { beneath_.receive(member(from), bytes); }
  void wait() override { beneath_.wait(); }

 private:
  int member(int rank) const { return group_[static_cast<std::size_t>(rank)]; }

  Transport& beneath_;
  RankGroup group_;
  int rank_;
};

}  // namespace assay::collectives
