// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "harness/run/journal/rank_journal.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <filesystem>
#include <iostream>
#include <optional>
#include <utility>

#include "harness/core/calendar.hpp"
#include "harness/core/names.hpp"
#include "harness/core/seconds_since.hpp"
#include "harness/core/statistics/statistics.hpp"
#include "harness/run/journal/context.hpp"
#include "harness/run/journal/record_of.hpp"
#include "harness/run/journal/resume.hpp"
#include "results/record/journal.hpp"

namespace assay::run {
namespace {

using Steady = std::chrono::steady_clock;

/// The value of "--name value" or "--name=value"; empty where it is not there.
std::string argument_named(const std::vector<std::string>& arguments, const std::string& name) {
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    if (arguments[i] == name && i + 1 < arguments.size()) return arguments[i + 1];
    if (arguments[i].starts_with(name + "=")) return arguments[i].substr(name.size() + 1);
  }
  return {};
}

class RankJournal final : public core::Witness {
 public:
  RankJournal(std::filesystem::path path, results::ContextRecord context)
      : path_(std::move(path)), context_(std::move(context)) {}

  void begins(const core::Case& benchmark, const core::Point& point) override {
    benchmark_ = &benchmark;
    point_ = point;
    measurement_ = {};
    report_ = {};
    sampling_ = false;
    started_ = core::iso_time_now();
    start_ = Steady::now();
  }
  void ran(std::int64_t iterations, const core::Timing& timing) override {
    if (!sampling_) return;
    std::vector<double>& samples = measurement_.samples_s;
    measurement_.iterations_per_sample = timing.each_s.empty() ? iterations : 1;
    if (timing.each_s.empty())
      samples.push_back(timing.seconds / static_cast<double>(iterations));
    else
      samples.insert(samples.end(), timing.each_s.begin(), timing.each_s.end());
  }
  void sampling_begins() override { sampling_ = true; }
  void sampling_ends() override { sampling_ = false; }
  void verified(const core::Verification& verification) override { measurement_.verification = verification; }
  void reported(const core::Report& report) override { report_ = report; }
  void ends(const std::string& why_failed) override {
    if (benchmark_ == nullptr) return;
    write(record(why_failed));
    benchmark_ = nullptr;
  }
  void dismissed() override { writer_.reset(); }

 private:
  results::PointRecord record(const std::string& why_failed) {
    results::PointRecord record = planned_record(
        context_.module, {.benchmark = benchmark_, .point = point_, .measure = {}, .repetition = 0});
    record.started = started_;
    record.elapsed_s = core::seconds_since(start_);
    if (!why_failed.empty()) {
      record.status = results::Status::failed;
      record.reason = why_failed;
      return record;
    }
    const core::Work work = benchmark_->work(point_);
    record.work_bytes = work.bytes;
    record.work_flops = work.flops;
    record.bytes_counted = work.bytes_counted;
    if (!measurement_.samples_s.empty()) {
      measurement_.interval = core::quantile_interval(measurement_.samples_s, 0.5, 0.95);
      add_measurement(record, *benchmark_, work, measurement_);
      record.stop.clear();  // rank 0 decided
    }
    add_report(record, report_);
    return record;
  }

  void open() {
    const Finished finished = read_finished(path_, false);
    const auto earlier = finished.processes.find(context_.run_id);
    context_.process = earlier == finished.processes.end() ? 0 : earlier->second;
    context_.resumed = context_.process > 0;
    sequence_ = finished.last_sequence + 1;
    writer_.emplace(path_);  // cuts off a torn last line
    writer_->write(context_);
  }

  void write(results::PointRecord point) {
    if (unwritable_) return;
    try {
      if (!writer_) open();
      point.run_id = context_.run_id;
      point.process = context_.process;
      point.sequence = sequence_++;
      writer_->write(point);
    } catch (const std::exception& error) {
      std::cerr << fmt::format("assay-{}: this rank keeps no journal: {}\n", context_.module, error.what());
      unwritable_ = true;
    }
  }

  std::filesystem::path path_;
  results::ContextRecord context_;
  std::optional<results::JournalWriter> writer_;
  bool unwritable_ = false;
  std::int64_t sequence_ = 0;

  // The point that runs.
  const core::Case* benchmark_ = nullptr;
  core::Point point_;
  core::Measurement measurement_;
  core::Report report_;
  bool sampling_ = false;
  std::string started_;
  Steady::time_point start_;
};

}  // namespace

std::unique_ptr<core::Witness> rank_journal(const std::string& module, int rank,
                                            const machine::Machine& machine,
                                            const std::vector<std::string>& arguments) {
  const std::string journal = argument_named(arguments, "--journal");
  const std::string run_id = argument_named(arguments, "--run-id");
  if (journal.empty() || run_id.empty()) return nullptr;
  const std::string plan = argument_named(arguments, "--plan");
  results::ContextRecord context =
      context_of(module, machine, plan.empty() ? plan::Plan{} : plan::read_plan(plan), arguments);
  const std::string of_rank = fmt::format("{}{}", core::names::rank_run, rank);
  context.run_id = run_id + of_rank;
  return std::make_unique<RankJournal>(journal + of_rank, std::move(context));
}

}  // namespace assay::run
