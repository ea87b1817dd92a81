// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Cases between pairs of ranks, as a plan and a list see them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "rdma/declared_case.hpp"

namespace assay::rdma {

struct DeclaredLatency : DeclaredCase {
  static constexpr std::string_view name = "rdma.verbs.latency";
  static constexpr std::string_view measures =
      "one message at a time: median, p99, p99.9, maximum, and the cold first one";
  static constexpr core::Headline headline = core::Headline::latency_us;
  static constexpr std::int64_t min_samples = 3000;  // p99.9 needs 2,995
  static constexpr double min_sample_seconds = 5e-3;
  static std::vector<core::Axis> axes();
  static VerbsPoint settings(const core::Point& point, const Surroundings& around) {
    return {latency_settings(point), around};
  }
  static std::optional<std::string> impossible(const VerbsPoint& at);
};

struct DeclaredBandwidth : DeclaredPairs<Ways::one> {
  static constexpr std::string_view name = "rdma.verbs.bandwidth";
  static constexpr std::string_view measures = "one direction: payload per second in the steady state";
  static std::vector<core::Axis> axes();
};

struct DeclaredBidirectional : DeclaredPairs<Ways::both> {
  static constexpr std::string_view name = "rdma.verbs.bidirectional";
  static constexpr std::string_view measures = "both directions at once: each and the sum";
  static std::vector<core::Axis> axes();
};

struct DeclaredMessageRate : DeclaredPairs<Ways::one> {
  static constexpr std::string_view name = "rdma.verbs.message_rate";
  static constexpr std::string_view measures = "small messages per second over several queue pairs";
  static constexpr core::Headline headline = core::Headline::message_rate_m_per_s;
  static std::vector<core::Axis> axes();
};

struct DeclaredLatencyUnderLoad : DeclaredCase {
  struct Settings : VerbsPoint {
    int load_percent = 0;
  };
  static constexpr std::string_view name = "rdma.verbs.latency_under_load";
  static constexpr std::string_view measures =
      "open loop: messages are due at a share of the closed-loop rate, each timed from when it was due to "
      "completion";
  static constexpr core::Headline headline = core::Headline::latency_us;
  static constexpr std::int64_t min_samples = 3000;
  static constexpr double min_sample_seconds = 20e-3;
  static std::vector<core::Axis> axes();
  static Settings settings(const core::Point& point, const Surroundings& around);
  static std::optional<std::string> impossible(const Settings& at);
};

struct DeclaredErrorDose : DeclaredStream {
  struct Settings : VerbsPoint {
    double bound = 0;
  };
  static constexpr std::string_view name = "rdma.verbs.error_dose";
  static constexpr std::string_view measures =
      "streams until the bits moved without error prove the asked bound of the bit error rate";
  static std::vector<core::Axis> axes();
  static Settings settings(const core::Point& point, const Surroundings& around);
  static core::Work work(const Settings& at) { return work_of_pair(at, Ways::both); }
  /// The time that this machine's slowest active link takes for the bound; a software device reports no rate.
  static double seconds_needed(const Settings& at, const Surroundings& around);
};

struct DeclaredFaultDrill : DeclaredCase {
  struct Settings : VerbsPoint {
    Fault planted = Fault::none;
  };
  static constexpr std::string_view name = "rdma.verbs.fault_drill";
  static constexpr std::string_view measures =
      "plants a fault and shows what the module reports of it: points fail, as they must";
  static constexpr core::Headline headline = core::Headline::bandwidth_gb_per_s;
  static constexpr double min_sample_seconds = 2e-3;
  static std::vector<core::Axis> axes();
  static Settings settings(const core::Point& point, const Surroundings& around);
  static std::optional<std::string> impossible(const Settings& at);
};

struct DeclaredConnectionRate : DeclaredCase {
  static constexpr std::string_view name = "rdma.verbs.connection_rate";
  static constexpr std::string_view measures =
      "connections per second: queue pairs from RESET to RTS, with the exchange of their addresses";
  static constexpr core::Headline headline = core::Headline::connection_rate_per_s;
  static constexpr std::size_t proof_bytes = 64;  // one message over each connection, after sampling
  static std::vector<core::Axis> axes();
  static VerbsPoint settings(const core::Point& point, const Surroundings& around);
  static core::Work work(const VerbsPoint& at);
  static std::optional<std::string> impossible(const VerbsPoint& at);
};

/// All, in the order of the build that runs them.
std::vector<core::Case> pair_declarations_cases(const Surroundings& around);

}  // namespace assay::rdma
