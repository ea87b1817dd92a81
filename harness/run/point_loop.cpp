// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "harness/run/point_loop.hpp"

#include <fmt/format.h>

#include <filesystem>
#include <memory>
#include <new>
#include <optional>

#include "harness/core/error.hpp"
#include "harness/core/measure/measure.hpp"
#include "harness/run/journal/record_of.hpp"
#include "harness/run/measure_options.hpp"
#include "harness/team/cpu_time.hpp"

namespace assay::run {
namespace {

std::string explain(const core::Error& error) {
  const std::string file = std::filesystem::path(error.where().file_name()).filename().string();
  const std::string code = error.code() == 0 ? "" : fmt::format(" {}", error.code());
  return fmt::format("{} ({}{}, {}:{})", error.what(), core::to_string(error.kind()), code, file,
                     error.where().line());
}

/// Reports after each step that the point continues, so that a long one is not taken for a hang.
class Heartbeat final : public core::Condition {
 public:
  explicit Heartbeat(const std::function<void()>& still_runs) : still_runs_(still_runs) {}
  void around(core::Step, std::int64_t, const std::function<void()>& call) override {
    call();
    still_runs_();
  }

 private:
  const std::function<void()>& still_runs_;
};

/// CPU time of this process, all its threads, while sampling; the stopping rule's own is in it.
class SamplingCpu final : public core::Condition {
 public:
  void sampling_begins() override { begun_s_ = team::cpu_seconds(); }
  void sampling_ends() override { spent_s_ = team::cpu_seconds() - begun_s_; }
  std::optional<double> of_one_iteration_s(const core::Measurement& measurement) const {
    const auto samples = static_cast<double>(measurement.samples_s.size());
    if (samples == 0) return std::nullopt;
    return spent_s_ / (samples * static_cast<double>(measurement.iterations_per_sample));
  }

 private:
  double begun_s_ = 0, spent_s_ = 0;
};

void fail(results::PointRecord& record, const std::string& why) {
  record.status = results::Status::failed;
  record.reason = why;
}

}  // namespace

void PointLoop::measure_into(Measured& measured, const plan::PlannedPoint& planned) const {
  results::PointRecord& record = measured.record;
  const core::Case& benchmark = *planned.benchmark;
  if (const auto reason = benchmark.unsupported(planned.point)) {
    record.status = results::Status::unsupported;
    record.reason = *reason;
    return;
  }
  const core::Work work = benchmark.work(planned.point);
  record.work_bytes = work.bytes;
  record.work_flops = work.flops;
  record.bytes_counted = work.bytes_counted;
  if (benchmark.derived) record.derived = benchmark.derived(planned.point);
  const std::unique_ptr<core::Trial> trial = benchmark.prepare(planned.point);
  still_runs_();
  trial->attach(std::make_shared<Heartbeat>(still_runs_));
  const auto cpu = std::make_shared<SamplingCpu>();
  trial->attach(cpu);
  const core::Looked looked = [&](const core::QuantileInterval& interval) {
    if (looked_) looked_(planned, interval);
  };
  const core::Measurement measurement =
      core::measure(*trial, measure_options(planned), clock_, interrupted_, looked);
  measured.cpu_s = cpu->of_one_iteration_s(measurement);
  add_measurement(record, benchmark, work, measurement);
  add_report(record, trial->report(measurement));
}

Measured PointLoop::run(const plan::PlannedPoint& planned) const {
  Measured measured{.record = planned_record(module_, planned)};
  results::PointRecord& record = measured.record;
  record.started = now_();
  if (const auto absent = absent_.keeps_out(planned)) {
    record.status = results::Status::unsupported;
    record.reason = *absent;
    measured.left_out = true;
    return measured;
  }
  const double start = clock_.seconds();
  try {
    measure_into(measured, planned);
  } catch (const core::Unsupported& error) {
    record.status = results::Status::unsupported;
    record.reason = explain(error);
  } catch (const core::TimedOut& error) {
    record.status = results::Status::timeout;
    record.reason = explain(error);
    measured.process_poisoned = error.poisons_process();
  } catch (const core::Interrupted& error) {
    fail(record, explain(error));
    record.stop = core::to_string(core::StopReason::interrupted);  // what makes a resumed run measure it
  } catch (const core::Error& error) {
    fail(record, explain(error));
    measured.process_poisoned = error.poisons_process();
  } catch (const std::bad_alloc&) {
    fail(record, "out of host memory");
  } catch (const std::exception& error) {
    fail(record, error.what());
  }
  record.elapsed_s = clock_.seconds() - start;
  return measured;
}

}  // namespace assay::run
