// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// A workload on a fabric, for each of many hash seeds. Every figure of it is simulated.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "model/fabric/simulate/answer/sections.hpp"
#include "model/fabric/simulate/steps/step.hpp"

namespace assay::model::fabric {

inline constexpr std::size_t most_graph_flows = 1'000'000;

struct SimulationOptions {
  SharingChoice sharing = SharingChoice::automatic;
  std::uint32_t seeds = 1;  // 1 to this one
  unsigned threads = 1;     // change no digit
  bool loads = true;        // also loads of links and times of hosts, of the median seed, and of jobs alone
  bool barriers = true;     // false: all by messages, also streams that do not overlap
  /// The most flows of streams that overlap to simulate by messages; beyond, steps alike are one.
  std::size_t most_graph_flows = fabric::most_graph_flows;
  /// Called with the number of steps simulated so far, over all seeds, and of those there are: at the start
  /// and after each step, by several threads at once. Streams that overlap are one step.
  std::function<void(std::size_t done, std::size_t of)> progress = {};
};

/// A step's congested link, and DCQCN as it runs there.
struct CongestedStep {
  CongestedLink link;
  DcqcnSettings settings;
};

/// Equal steps of an operation.
struct StepTimes {
  int first = 0;       // the number of the first
  double repeats = 1;  // how many there are
  std::size_t flows = 0;
  SharingRuleKind rule = SharingRuleKind::bound;
  bool drawn = false;                // StepPlan
  std::vector<double> time_us = {};  // of one of them, for each seed
  /// Under rate control, for each seed: what it costs on the link that needs the longest.
  std::vector<std::optional<CongestedStep>> congested = {};
};

struct OperationTimes {
  const Operation* operation = nullptr;
  std::string stream = {};
  std::vector<double> time_us = {};   // for each seed
  double even_us = 0;                 // were every message spread evenly over links at their full rate
  double hosts_us = 0;                // were links of hosts the only ones
  std::vector<StepTimes> steps = {};  // none where its stream overlaps others
  /// Half of the 95 % interval of each time where some shifts stand for all, else empty.
  std::vector<double> sample_half_width_us = {};
  double scale = 1;  // to what was measured of it

  /// Bytes/us: what a rank has over the time, and what its links carry of that where the collective is
  /// optimal (the bus bandwidth of NCCL's tests).
  double algorithm_bandwidth(double time_us) const;
  double bus_bandwidth(double time_us) const;
};

/// From a job's start on.
struct JobTimes {
  std::vector<double> together_us = {};  // for each seed, where streams overlap
  std::vector<double> alone_us = {};     // of several jobs, unless only times together were asked for
};

/// Medians of the whole with the measured goodput at the ends of its interval.
struct GoodputEnds {
  double fastest_us = 0, slowest_us = 0;
};

struct Simulation {
  std::vector<OperationTimes> operations = {};
  std::vector<JobTimes> jobs = {};
  std::vector<double> time_us = {};  // of the whole, for each seed
  /// The most bytes that an uplink of a leaf carries over the mean, for each seed; 0 where none carries any.
  std::vector<double> uplinks_max_over_mean = {};
  double even_us = 0;                       // none (0) where streams overlap
  bool overlaps = false;                    // some streams share links by messages
  bool alike_as_one = false;                // and of some, steps alike are one
  std::vector<SharingRuleKind> rules = {};  // those taken
  std::optional<GoodputEnds> goodput_ends = {};
  std::string scaled_to = {};               // the measurements that times are scaled to; every line says so
  std::uint32_t median_seed = 1;            // the seed whose time is the (lower) median; of it:
  std::vector<double> bytes_of_links = {};  // in the whole workload
  std::vector<LinkId> paused_links = {};    // at some time, under occupancy sharing; rising numbers
  Settling settling = {};                   // likewise, of steps one by one
  std::vector<HostTime> hosts = {};         // their times added up over steps; empty where flows are too many
};

/// A fabric, a workload and where its ranks are.
class Scenario {
 public:
  /// Throws a usage Error where ranks do not fit, as read_order.
  Scenario(FabricFile fabric, WorkloadFile workload);
  /// With another order of ranks, each on a host of its own.
  Scenario(FabricFile fabric, WorkloadFile workload, std::vector<NodeId> host_of_rank);
  Scenario(const Scenario&) = delete;
  Scenario& operator=(const Scenario&) = delete;

  const FabricModel& model() const { return model_; }
  const WorkloadFile& workload() const { return workload_; }
  const std::vector<NodeId>& host_of_rank() const { return host_of_rank_; }

 private:
  FabricModel model_;
  WorkloadFile workload_;
  std::vector<NodeId> host_of_rank_;
};

/// From 1: the seed whose time is the (lower) median of these, the first of equals.
std::uint32_t median_seed_of(const std::vector<double>& time_us);

/// `scenario` must outlive the result. Throws as plan_operation, and plan_overlap.
Simulation simulate(const Scenario& scenario, const SimulationOptions& options);

}  // namespace assay::model::fabric
