// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// What a benchmark is: a class that declares (name, measures, axes, work) and executes (constructor, enqueue,
// check), a site that says where it runs and how time is taken, and the case that lists, plans and reports
// see.
#pragma once

#include <concepts>
#include <cstdint>
#include <functional>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "harness/core/axis.hpp"

namespace assay::core {

/// What one iteration does, declared before anything runs.
struct Work {
  double bytes = 0;                // bytes that count as useful traffic
  double flops = 0;                // 2mnk for a GEMM
  double messages = 0;             // sent by one iteration, where messages are what counts
  std::string bytes_counted = {};  // how they are counted: "read + write", and what is not counted
};

/// Time of one sample: `iterations` runs of enqueue().
struct Timing {
  double seconds = 0;
  double sm_cycles = std::numeric_limits<double>::quiet_NaN();  // GPU only
  /// Seconds of every iteration, where the trial tells them apart: then these are the samples, and `seconds`
  /// only says how long it took to get them. Else empty.
  std::vector<double> each_s = {};
};

struct Verification {
  enum class Result { right, wrong, not_checked };
  Result result = Result::not_checked;
  std::string why = {};     // what was compared, or the first mismatches
  std::string digest = {};  // digest of the output bits where the case keeps one (hexadecimal)
};

/// A number that belongs in the record beside the headline. Bounds where an interval is known.
struct Metric {
  std::string name;  // carries its unit: busbw_gb_per_s
  std::string unit;
  double value = 0;
  std::optional<double> lower = {};
  std::optional<double> upper = {};
};

/// A condition under which the point ran: ("algorithm", "cublaslt:17"), ("huge_page_bytes", 1073741824).
using Fact = std::pair<std::string, std::variant<std::int64_t, double, std::string>>;

/// A reading of machine state while warming up: ("sm_clock_mhz", 1755).
struct Signal {
  std::string name;
  double value = 0;
};

struct Measurement;

/// What the one measuring loop sees. Made by a site around a benchmark.
class Trial {
 public:
  virtual ~Trial() = default;

  /// Runs the timed body `iterations` times and returns the time of all of them.
  virtual Timing run(std::int64_t iterations) = 0;

  /// Checks the bytes that were timed. Called once, after sampling.
  virtual Verification verify() = 0;

  /// Machine state that must settle before sampling starts (clock, power); read between warm-up blocks.
  virtual std::vector<Signal> signals() { return {}; }

  /// Called around sampling, to read counters before and after.
  virtual void sampling_begins() {}
  virtual void sampling_ends() {}

  /// Metrics beyond the case's own rate, and the conditions that held. Called after verify(), in
  /// this order.
  virtual std::vector<Metric> metrics(const Measurement&) { return {}; }
  virtual std::vector<Fact> facts() { return {}; }
};

enum class Headline { bandwidth_gb_per_s, tflops, latency_ns, latency_us, time_us, message_rate_m_per_s };

struct Case {
  std::string name;      // "memory.host.copy": module.backend.benchmark
  std::string measures;  // one line
  Headline headline = Headline::time_us;
  std::vector<Axis> axes;
  std::function<Work(const Point&)> work;
  /// Values that follow from the point (m, n, k of a transformer shape), for records; may be empty.
  std::function<std::vector<Fact>(const Point&)> derived = {};
  /// The point that stands for this one in a plan, where an axis means nothing beside the values of others
  /// (how many thread blocks a copy engine has): it is measured once. May be empty: each stands for itself.
  std::function<Point(const Point&)> representative = {};
  /// Why this machine cannot run this point, in the driver's own words where there is one; empty optional if
  /// it can.
  std::function<std::optional<std::string>(const Point&)> unsupported;
  /// Acquires everything the point needs. Throws Error; Unsupported where only trying could tell.
  std::function<std::unique_ptr<Trial>(const Point&)> prepare;
  /// What the case's own figures need beyond what a plan asks: p99.9 needs 2,995 samples, a pipeline that
  /// must fill needs longer ones.
  std::int64_t min_samples = 0;
  double min_sample_seconds = 0;
  /// How long the point must be sampled whatever the interval (a dose of bits); empty: as the plan says.
  std::function<double(const Point&)> seconds_needed = {};
};

std::string headline_name(Headline headline);  // "bandwidth_gb_per_s"
std::string headline_unit(Headline headline);  // "GB/s"

/// The shape every benchmark class has. `Site` is where it runs (host::HostSite, cuda::DeviceSite, ...).
template <class B, class Site>
concept Benchmark = requires(B benchmark, const Point& point, Site& site) {
  { B::work(point) } -> std::same_as<Work>;
  { benchmark.enqueue() };
  { benchmark.check() } -> std::same_as<Verification>;
  requires std::constructible_from<B, const Point&, Site&>;
};

}  // namespace assay::core
