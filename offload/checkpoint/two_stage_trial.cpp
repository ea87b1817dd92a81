// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "offload/checkpoint/two_stage_trial.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <functional>
#include <span>
#include <utility>

#include "harness/core/measure/median_metric.hpp"
#include "harness/core/names.hpp"
#include "harness/core/seconds_since.hpp"
#include "harness/core/statistics/statistics.hpp"
#include "harness/core/units.hpp"

namespace assay::offload {
namespace {

constexpr std::size_t steps_alone = 20;

double median_step_s(const TimedSteps& steps, double begin_s, double end_s) {
  const std::vector<double> seconds = steps.within(begin_s, end_s);
  return seconds.empty() ? 0 : core::quantile_of(seconds, 0.5);
}

/// The median over the checkpoints that have the figure; nothing where none has.
void add_median(std::vector<core::Metric>& metrics, const char* name, const char* unit,
                const std::vector<TwoStageTimes>& times,
                const std::function<double(const TwoStageTimes&)>& of) {
  std::vector<double> values;
  for (const TwoStageTimes& one : times)
    if (const double value = of(one); value >= 0) values.push_back(value);
  if (!values.empty())
    metrics.push_back(core::median_metric(values, name, unit, [](double value) { return value; }));
}

constexpr double none = -1;

double slowdown_or_none(double step_s, double alone_step_s) {
  return step_s > 0 && alone_step_s > 0 ? slowdown(step_s, alone_step_s) : none;
}

double lost_in_stage_s(double stage_s, double step_s, double alone_step_s) {
  return step_s > 0 ? stage_s * std::max(0.0, 1 - alone_step_s / step_s) : 0;
}

}  // namespace

double lost_s(const TwoStageTimes& times) {
  return times.stall_s + lost_in_stage_s(times.snapshot_s, times.snapshot_step_s, times.alone_step_s) +
         lost_in_stage_s(times.save_s, times.save_step_s, times.alone_step_s);
}

TwoStageTrial::OwnFolder::OwnFolder(const std::filesystem::path& parent, std::int64_t checkpoint_bytes)
    : path_(parent / fmt::format("assay-checkpoints-{}", getpid())) {
  constexpr std::int64_t most = CheckpointStore::most_generations;
  check_space(parent, most * checkpoint_bytes,
              fmt::format("{} checkpoints of {} that are there at once take", most,
                          core::format_bytes(checkpoint_bytes)));
  std::filesystem::create_directories(path_);
}

TwoStageTrial::OwnFolder::~OwnFolder() {
  std::error_code ignored;
  std::filesystem::remove_all(path_, ignored);
}

TwoStageTrial::TwoStageTrial(Setup setup)
    : setup_(std::move(setup)),
      folder_(setup_.folder, setup_.state->bytes()),
      store_(folder_.path(), setup_.shards, setup_.state->bytes()),
      steps_(setup_.make_step) {
  steps_.await(1);  // what cannot compute says so here
}

void TwoStageTrial::sampling_begins() {
  times_.clear();
  setup_.state->sampling_begins();
}

void TwoStageTrial::take_snapshot(TwoStageTimes& times) {
  if (setup_.snapshot == Snapshot::blocking) steps_.pause();
  const double begin_s = core::steady_seconds();
  setup_.state->take_snapshot();
  const double end_s = core::steady_seconds();
  if (setup_.snapshot == Snapshot::blocking) {
    steps_.resume();
    times.stall_s = core::steady_seconds() - begin_s;
  } else {
    times.snapshot_step_s = median_step_s(steps_, begin_s, end_s);
  }
  times.snapshot_s = end_s - begin_s;
}

TwoStageTimes TwoStageTrial::take_checkpoint() {
  TwoStageTimes times;
  setup_.state->stamp(++checkpoints_);
  steps_.forget();
  const double alone_s = core::steady_seconds();
  steps_.await(steps_alone);
  times.alone_step_s = median_step_s(steps_, alone_s, core::steady_seconds());
  take_snapshot(times);
  const double saving_s = core::steady_seconds();
  const Saved saved = store_.save(setup_.state->snapshot());
  const double saved_s = core::steady_seconds();
  times.save_s = saved_s - saving_s;
  times.commit_s = saved.commit_s;
  times.save_step_s = median_step_s(steps_, saving_s, saved_s);
  direct_ = saved.shards.front().direct;
  return times;
}

core::Timing TwoStageTrial::enqueue(std::int64_t iterations) {
  core::Timing timing;
  for (std::int64_t i = 0; i < iterations; ++i) {
    times_.push_back(take_checkpoint());
    timing.each_s.push_back(times_.back().snapshot_s + times_.back().save_s);
    timing.seconds += timing.each_s.back();
  }
  return timing;
}

core::Verification TwoStageTrial::check() {
  using Result = core::Verification::Result;
  steps_.pause();
  const host::Arena expected = setup_.state->content();
  Restored found;
  const double began_s = core::steady_seconds();
  setup_.state->restore([&](std::span<std::byte> memory) { found = store_.restore(memory); });
  restore_s_ = core::steady_seconds() - began_s;
  if (!found.damages.empty()) return {Result::wrong, found.damages.front()};
  if (const auto first = setup_.state->first_difference(expected.as<std::byte>()))
    return {Result::wrong, fmt::format("byte {} of the last checkpoint is not what was saved", *first)};
  return {Result::right, "the last checkpoint restored, bit for bit"};
}

std::vector<core::Metric> TwoStageTrial::metrics(const core::Measurement&) {
  const double gb = static_cast<double>(setup_.state->bytes()) * 1e-9;
  using Times = const TwoStageTimes&;
  std::vector<core::Metric> metrics;
  const auto add = [&](const char* name, const char* unit, const std::function<double(Times)>& of) {
    add_median(metrics, name, unit, times_, of);
  };
  add("stall_s_per_gb", "s/GB", [&](Times times) { return times.stall_s / gb; });
  add(core::names::lost_s_per_gb, "s/GB", [&](Times times) { return lost_s(times) / gb; });
  add("snapshot_gb_per_s", "GB/s", [&](Times times) { return gb / times.snapshot_s; });
  add(core::names::save_gb_per_s, "GB/s", [&](Times times) { return gb / times.save_s; });
  add(core::names::commit_s, "s", [](Times times) { return times.commit_s; });
  add("step_alone_s", "s", [](Times times) { return times.alone_step_s; });
  add("slowdown_by_snapshot", "",
      [](Times times) { return slowdown_or_none(times.snapshot_step_s, times.alone_step_s); });
  add("slowdown_by_save", "",
      [](Times times) { return slowdown_or_none(times.save_step_s, times.alone_step_s); });
  if (restore_s_ > 0)
    metrics.push_back({.name = core::names::restore_gb_per_s, .unit = "GB/s", .value = gb / restore_s_});
  return metrics;
}

std::vector<core::Fact> TwoStageTrial::facts() {
  std::vector<core::Fact> facts = setup_.state->facts();
  const std::vector<core::Fact> own{{"engine", "io_uring"},
                                    {"page_cache", page_cache_use(setup_.shards.direct, direct_)},
                                    {"checksum", setup_.shards.checksums ? "XXH3, 64 bits" : "none"},
                                    {"compute", setup_.compute},
                                    {"folder", std::filesystem::absolute(setup_.folder).string()}};
  facts.insert(facts.end(), own.begin(), own.end());
  return facts;
}

}  // namespace assay::offload
