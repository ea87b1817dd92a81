// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Flows with their paths, and their times under a rule of sharing.
#pragma once

#include <span>
#include <vector>

#include "model/fabric/sharing/timeline_parts.hpp"
#include "model/fabric/simulate/fabric_model.hpp"
#include "model/fabric/simulate/pause_log.hpp"
#include "model/fabric/simulate/sharing.hpp"
#include "model/fabric/simulate/steps/compute_flows.hpp"
#include "model/fabric/simulate/steps/message_router.hpp"

namespace assay::model::fabric {

/// How a message is sent.
struct Sending {
  std::uint32_t message = 0;  // which of the queue pairs that messages take in turn
  double start_us = 0;        // at the earliest
  double repeats = 1;         // messages alike, one after the other, as one
  double latencies = 1;       // of the path, until all have arrived
};

class FlowSet {
 public:
  /// Both must outlive it.
  FlowSet(const FabricModel& model, const MessageRouter& router) : model_(&model), router_(&router) {}

  /// The parts of a message; the numbers of its flows are first to size() - 1.
  FlowId add(NodeId from, NodeId to, std::uint64_t bytes, const Sending& sending = {});
  /// Work of a GPU that messages from and to it slow: they take the share `taken`, in (0, 1), of its
  /// processor.
  FlowId add_compute(NodeId host, double us, double taken, double start_us = 0);
  /// Nothing but an instant at a host, at `start_us` at the earliest: what waits for it waits for all that it
  /// waits for.
  FlowId add_moment(NodeId host, double start_us);
  std::size_t size() const { return messages_.size(); }
  const Paths& paths() const { return paths_; }
  const std::vector<Message>& messages() const { return messages_; }
  NodeId from(FlowId flow) const { return use_.from[flow]; }
  NodeId to(FlowId flow) const { return use_.to[flow]; }
  bool is_message(FlowId flow) const { return use_.taken[flow] <= 0 && !paths_[flow].empty(); }

  /// Simulates by max-min or occupancy sharing, in parts that share no link, or whole with compute: threads
  /// change no digit. Notes pauses where a log is given and the rule has them.
  Timeline run(SharingRuleKind rule, unsigned threads, std::span<const Precedence> precedences = {},
               PauseLog* pauses = nullptr) const;
  std::vector<double> bytes_of_links() const;

 private:
  void append(std::span<const LinkId> path, NodeId from, NodeId to, double bytes, const Sending& sending,
              double part_of_message = 1);
  FlowId append_at(NodeId host, std::span<const LinkId> path, const Message& message, double taken);
  SharingRule rule_of(SharingRuleKind rule, const TimelinePart& part, unsigned threads,
                      PauseLog* pauses) const;
  Timeline run_with_compute(SharingRuleKind rule, unsigned threads, std::span<const Precedence> precedences,
                            PauseLog* pauses) const;

  const FabricModel* model_;
  const MessageRouter* router_;
  Paths paths_;
  std::vector<Message> messages_;
  std::vector<SenderSettings> senders_;
  ProcessorUse use_;
  bool computes_ = false;
};

}  // namespace assay::model::fabric
