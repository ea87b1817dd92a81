// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Cases over all ranks at once, as a plan and a list see them.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "rdma/declared_case.hpp"

namespace assay::rdma {

/// A point of a pattern with one number of its own.
struct NumberedPoint : VerbsPoint {
  std::int64_t number = 0;
};

struct DeclaredAllPairs : DeclaredPairs<Ways::both> {
  static constexpr std::string_view name = "rdma.verbs.pairs";
  static constexpr std::string_view measures =
      "every pair of nodes on every rail once, both ways, all at once; suspects again one at a time";
  static constexpr double suspect_share = 0.93;  // the share that ClusterKit's documentation calls bad
  static std::vector<core::Axis> axes();
};

struct DeclaredIncast : DeclaredStream {
  using Settings = NumberedPoint;  // senders
  static constexpr std::string_view name = "rdma.verbs.incast";
  static constexpr std::string_view measures =
      "many hosts to one: each sender's share, and the latency of a victim that sends little";
  static std::vector<core::Axis> axes();
  static Settings settings(const core::Point& point, const Surroundings& around);
  static Schedule schedule(const Settings& at);
  static core::Work work(const Settings& at) { return work_of(schedule(at)); }
};

struct DeclaredRingShift : DeclaredStream {
  using Settings = NumberedPoint;  // shift
  static constexpr std::string_view name = "rdma.verbs.ring_shift";
  static constexpr std::string_view measures = "each host to the one `shift` places on, all at once";
  static std::vector<core::Axis> axes();
  static Settings settings(const core::Point& point, const Surroundings& around);
  static Schedule schedule(const Settings& at);
  static core::Work work(const Settings& at) { return work_of(schedule(at)); }
};

struct DeclaredPermutation : DeclaredStream {
  using Settings = NumberedPoint;  // seed
  static constexpr std::string_view name = "rdma.verbs.permutation";
  static constexpr std::string_view measures = "each host to another in a random permutation, all at once";
  static std::vector<core::Axis> axes();
  static Settings settings(const core::Point& point, const Surroundings& around);
  static Schedule schedule(const Settings& at);
  static core::Work work(const Settings& at) { return work_of(schedule(at)); }
};

struct DeclaredBisection : DeclaredStream {
  static constexpr std::string_view name = "rdma.verbs.bisection";
  static constexpr std::string_view measures =
      "each host of one half with its counterpart in the other, both ways, all at once";
  static std::vector<core::Axis> axes();
  static Schedule schedule(const VerbsPoint& at);
  static core::Work work(const VerbsPoint& at) { return work_of(schedule(at)); }
};

struct DeclaredPathEntropy : DeclaredStream {
  using Settings = NumberedPoint;  // uplinks
  static constexpr std::string_view name = "rdma.verbs.path_entropy";
  static constexpr std::string_view measures =
      "one flow over many queue pairs: how their paths spread, predicted and measured";
  static std::vector<core::Axis> axes();
  static Settings settings(const core::Point& point, const Surroundings& around);
  static core::Work work(const Settings& at) { return work_of_pair(at, Ways::one); }
};

struct DeclaredPorts : DeclaredStream {
  using Settings = NumberedPoint;  // ports
  static constexpr std::string_view name = "rdma.verbs.ports";
  static constexpr std::string_view measures =
      "ports of two nodes, a rank each, all at once: each rate, the sum, and each again alone";
  static std::vector<core::Axis> axes();
  static Settings settings(const core::Point& point, const Surroundings& around);
  static core::Work work(const Settings& at);
};

/// All, in the order of the build that runs them.
std::vector<core::Case> pattern_declarations_cases(const Surroundings& around);

}  // namespace assay::rdma
