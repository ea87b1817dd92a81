// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// A trial as the one measuring loop sees it, and the conditions that are its components (counters, telemetry,
// a heartbeat, a watch for hangs).
#pragma once

#include <cstdint>
#include <functional>
#include <limits>
#include <memory>
#include <string>
#include <vector>

#include "harness/core/measure/report.hpp"

namespace assay::core {

/// Time of one sample: `iterations` runs of the timed body.
struct Timing {
  double seconds = 0;
  double sm_cycles = std::numeric_limits<double>::quiet_NaN();  // GPU only
  /// Seconds of every iteration, where the trial knows them: then these are the samples, and `seconds` only
  /// says how long it took to get them. Else empty.
  std::vector<double> each_s = {};
};

/// A reading of machine state while warming up: ("sm_clock_mhz", 1755).
struct Signal {
  std::string name;
  double value = 0;
};

struct Measurement;

/// The calls of a trial that a condition may surround.
enum class Step { run, sampling_begins, sampling_ends, verify, report };

/// A component of a trial: it reads machine state around sampling, or watches over the trial's calls.
class Condition {
 public:
  virtual ~Condition() = default;

  /// Makes `call` once. A watch bounds it and explains its failure; a heartbeat notes its end. `iterations`
  /// is 1 but for Step::run.
  virtual void around(Step, std::int64_t /*iterations*/, const std::function<void()>& call) { call(); }

  /// Machine state that must settle before sampling starts (clock, power); read between warm-up blocks.
  virtual std::vector<Signal> signals() { return {}; }

  /// Called last before sampling and first after it, to read counters.
  virtual void sampling_begins() {}
  virtual void sampling_ends() {}

  virtual std::vector<Metric> metrics() { return {}; }
  virtual std::vector<Fact> facts() { return {}; }
};

/// One point, ready to be measured. Subclasses say what is measured; conditions are attached to any trial.
class Trial {
 public:
  virtual ~Trial() = default;
  Trial() = default;
  Trial(const Trial&) = delete;
  Trial& operator=(const Trial&) = delete;

  /// Its readings come before those of later ones and of the measured body; it surrounds the calls of
  /// earlier ones.
  void attach(std::shared_ptr<Condition> condition) { conditions_.push_back(std::move(condition)); }

  /// Runs the timed body `iterations` times and returns the time of all of them.
  Timing run(std::int64_t iterations);
  /// Checks the bytes that were timed. Called once, after sampling.
  Verification verify();
  std::vector<Signal> signals();
  void sampling_begins();
  void sampling_ends();
  /// Metrics beyond the case's own rate, and the conditions that held. Called after verify(), in this order.
  std::vector<Metric> metrics(const Measurement& measurement);
  std::vector<Fact> facts();
  /// Both, with what links, flows and other ranks did.
  Report report(const Measurement& measurement);

 protected:
  /// A member of the subclass.
  void attach(Condition& member) { conditions_.emplace_back(std::shared_ptr<void>(), &member); }

 private:
  virtual Timing do_run(std::int64_t iterations) = 0;
  virtual Verification do_verify() = 0;
  virtual std::vector<Signal> do_signals() { return {}; }
  virtual void do_sampling_begins() {}
  virtual void do_sampling_ends() {}
  virtual std::vector<Metric> do_metrics(const Measurement&) { return {}; }
  virtual std::vector<Fact> do_facts() { return {}; }
  virtual std::vector<LinkReport> do_links() { return {}; }
  virtual std::vector<FlowReport> do_flows() { return {}; }
  virtual std::vector<RankReport> do_ranks() { return {}; }

  /// `call` within conditions [0, `outer`): the last one attached is outermost.
  void within(std::size_t outer, Step step, std::int64_t iterations, const std::function<void()>& call);
  void within_all(Step step, const std::function<void()>& call, std::int64_t iterations = 1) {
    within(conditions_.size(), step, iterations, call);
  }

  std::vector<std::shared_ptr<Condition>> conditions_;
};

}  // namespace assay::core
