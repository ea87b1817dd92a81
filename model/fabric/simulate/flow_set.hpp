// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Flows with their paths, and their times under a rule of sharing.
#pragma once

#include <span>
#include <vector>

#include "model/fabric/simulate/fabric_model.hpp"
#include "model/fabric/simulate/sharing.hpp"
#include "model/fabric/timeline.hpp"

namespace assay::model::fabric {

class FlowSet {
 public:
  /// Both must outlive it.
  FlowSet(const FabricModel& model, const Router& router) : model_(&model), router_(&router) {}

  /// The parts of a message; the numbers of its flows are first to size() - 1. Starts at `start_us` at the
  /// earliest.
  FlowId add(NodeId from, NodeId to, std::uint64_t bytes, std::uint32_t message = 0, double start_us = 0);
  std::size_t size() const { return messages_.size(); }
  const Paths& paths() const { return paths_; }
  const std::vector<Message>& messages() const { return messages_; }
  NodeId from(FlowId flow) const { return from_[flow]; }
  NodeId to(FlowId flow) const { return to_[flow]; }

  /// By max-min or occupancy sharing.
  Timeline run(SharingRuleKind rule, std::span<const Precedence> precedences = {}) const;
  std::vector<double> bytes_of_links() const;

 private:
  void append(std::span<const LinkId> path, NodeId from, NodeId to, double bytes, double start_us);

  const FabricModel* model_;
  const Router* router_;
  Paths paths_;
  std::vector<Message> messages_;
  std::vector<SenderSettings> senders_;
  std::vector<NodeId> from_, to_;
};

}  // namespace assay::model::fabric
