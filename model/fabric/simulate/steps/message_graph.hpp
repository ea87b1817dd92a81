// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// All messages of streams that may run at the same time, with what each waits for.
#pragma once

#include <span>
#include <vector>

#include "model/fabric/simulate/answer/sections.hpp"
#include "model/fabric/simulate/simulation.hpp"
#include "model/fabric/simulate/steps/flow_set.hpp"

namespace assay::model::fabric {

/// The messages that a message of the graph stands for.
enum class GraphGrain {
  message,
  alike  // all messages between two ranks in steps alike of an operation, one after the other
};

class MessageGraph {
 public:
  /// `plans`: of the section's operations. All must outlive it.
  MessageGraph(const Scenario& scenario, const MessageRouter& router, const StreamSection& section,
               std::span<const OperationPlan> plans, GraphGrain grain);

  const FlowSet& flows() const { return flows_; }
  Timeline run(SharingRuleKind rule, unsigned threads, PauseLog* pauses) const {
    return flows_.run(rule, threads, precedences_, pauses);
  }

  /// Until every stream of the job has ended, compute at the end included; 0 where it has none.
  double end_of_job_us(std::size_t job, const Timeline& timeline) const;
  /// The time of the section's operation, from its first message's start on.
  double time_of_operation_us(std::size_t operation, const Timeline& timeline) const;

 private:
  struct Wait {
    FlowId flow = 0;
    double delay_us = 0;  // from its end on: compute
  };
  /// Ends of flows that a rank of a stream waits for before its next message: all of these, and a time.
  struct Chain {
    std::vector<Wait> after = {};
    double not_before_us = 0;
  };
  using Chains = std::vector<Chain>;  // of each host

  struct FlowRange {
    FlowId first = 0, end = 0;
    double delay_us = 0;  // of compute as a plain delay
  };

  static void join(Chains& chains, const Chains& before);
  void append(const OperationPlan& plan, const Job& job, Chains& chains);
  std::vector<NodeId> hosts_that_compute(const Operation& operation, const Job& job) const;
  void append_compute(const Operation& operation, const Job& job, Chains& chains);
  void append_messages(const OperationPlan& plan, Chains& chains);
  void append_step(const OperationSends& exchange, int step, const Sending& sending, Chains& chains);
  void wait(const Chain& chain, FlowId first);
  /// Waits for one moment in place of many flows, which each of its successors would wait for.
  void condense(Chain& chain, NodeId host);

  const Scenario* scenario_;
  const StreamSection* section_;
  GraphGrain grain_;
  FlowSet flows_;
  std::vector<Precedence> precedences_;
  std::vector<FlowRange> ranges_;  // of each operation
  std::vector<Chains> ends_;       // of each stream of the section
};

}  // namespace assay::model::fabric
