// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// A case: the part of a benchmark that lists, plans and reports see. case_of.hpp makes one of a benchmark
// class.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "harness/core/measure/axis.hpp"
#include "harness/core/measure/trial.hpp"

namespace assay::core {

/// The work of one iteration, declared before anything runs.
struct Work {
  double bytes = 0;                // bytes that count as useful traffic
  double flops = 0;                // 2mnk for a GEMM
  double messages = 0;             // sent by one iteration, where messages are what counts
  double operations = 0;           // the same of updates or connections
  std::string bytes_counted = {};  // how they are counted: "read + write", and what is not counted
};

enum class Headline {
  bandwidth_gb_per_s,
  tflops,
  latency_ns,
  latency_us,
  time_us,
  message_rate_m_per_s,
  update_rate_gup_per_s,
  connection_rate_per_s
};

struct Case {
  std::string name;      // "memory.host.copy": module.backend.benchmark
  std::string measures;  // one line
  Headline headline = Headline::time_us;
  std::vector<Axis> axes;
  std::function<Work(const Point&)> work;
  /// Values that follow from the point (m, n, k of a transformer shape), for records; may be empty.
  std::function<std::vector<Fact>(const Point&)> derived = {};
  /// The point that a plan runs instead of this one, where the values of other axes make an axis meaningless
  /// (the number of thread blocks of a copy engine): it is measured once. Empty: each point runs itself.
  std::function<Point(const Point&)> representative = {};
  /// The component that this build lacks for the point, as configure names it ("CUDA"); nothing where it has
  /// all. May be empty.
  std::function<std::optional<std::string>(const Point&)> not_built = {};
  /// Why no machine can run this point; may be empty.
  std::function<std::optional<std::string>(const Point&)> impossible = {};
  /// Why this machine or build cannot run this point, in the driver's own words where there is one; empty
  /// optional if it can.
  std::function<std::optional<std::string>(const Point&)> unsupported;
  /// Acquires everything the point needs. Throws Error; Unsupported where only a trial shows it.
  std::function<std::unique_ptr<Trial>(const Point&)> prepare;
  /// Samples that the case's own figures need beyond those of a plan: p99.9 needs 2,995 samples, a pipeline
  /// that must fill needs longer ones.
  std::int64_t min_samples = 0;
  double min_sample_seconds = 0;
  /// How long the point must be sampled whatever the interval (a dose of bits); empty: as the plan says.
  std::function<double(const Point&)> seconds_needed = {};
};

/// "built without CUDA"
std::string built_without(const std::string& component);
/// Cases of which this build has the declaration alone, because it lacks the component: listed and planned
/// as ever.
std::vector<Case> absent(std::vector<Case> declared, const std::string& component);

std::string headline_name(Headline headline);  // "bandwidth_gb_per_s"
std::string headline_unit(Headline headline);  // "GB/s"

}  // namespace assay::core
