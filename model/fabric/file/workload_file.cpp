// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "model/fabric/file/workload_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string_view>
#include <tuple>

#include "harness/core/describe/toml_fields.hpp"
#include "harness/core/error.hpp"
#include "harness/core/files/input_file.hpp"
#include "harness/core/units.hpp"
#include "harness/training/workload_sections.hpp"
#include "model/fabric/file/operation_sections.hpp"
#include "model/fabric/file/predicted_step.hpp"

namespace assay::model::fabric {

namespace {

constexpr std::size_t longest_workload = std::size_t{16} << 20U;  // bytes
using training::most_ranks;

/// Keys that say where and when a job runs, and keys of what it does.
constexpr std::array<std::string_view, 4> place_keys = {"name", "order", "first_gpu", "start_us"};
constexpr std::array<std::string_view, 3> work_keys = {"ranks", "processor_usage", "stream"};

/// Fills ranks and streams, which come after those of the workload's other jobs.
void take_work(const core::TomlSection& section, WorkloadFile& workload, Job& job) {
  static constexpr auto rows = fields_of(core::Type<training::StepKeys>());
  training::StepKeys keys;
  core::read_rows(section, rows, keys);
  if (job.ranks.first + keys.ranks > most_ranks)
    section.refuse("ranks", fmt::format("expected at most {} in all jobs", most_ranks));
  job.ranks.count = keys.ranks;
  job.processor_usage = keys.processor_usage;
  const std::size_t earlier = workload.streams.size();
  for (training::StreamSection& from : training::read_streams(section)) {
    Stream stream{.name = std::move(from.name), .job = workload.jobs.size(), .after = std::move(from.after)};
    for (std::size_t& before : stream.after) before += earlier;
    for (const core::TomlSection& one : from.operations)
      stream.operations.push_back(read_operation(one, job.ranks));
    workload.streams.push_back(std::move(stream));
  }
}

/// Fills ranks and streams as take_work() does, from `predicted`, a file of assay predict.
void take_prediction(const core::TomlSection& section, WorkloadFile& workload, Job& job) {
  for (const std::string_view key : work_keys)
    if (section.has(key)) section.refuse(key, "expected without 'predicted', which says it");
  const core::TomlSource source =
      training::finite_source(section.source().path_of(*section.word("predicted")));
  const toml::table table = read_predicted_step(source.file);
  take_work(core::TomlSection(source, table), workload, job);
}

void append_job(const core::TomlSection& section, WorkloadFile& workload) {
  const std::uint32_t first = workload.jobs.empty() ? 0 : workload.ranks();
  Job job{.name = section.word("name").value_or(fmt::format("job {}", workload.jobs.size() + 1)),
          .ranks = {first, 0},
          .first_gpu = section.count("first_gpu", 0, most_ranks).value_or(first),
          .start_us = section.at_least_zero("start_us").value_or(0)};
  if (std::ranges::find(workload.jobs, job.name, &Job::name) != workload.jobs.end())
    section.refuse("name", fmt::format("two jobs are named '{}'", job.name));
  if (const std::string order = section.word("order").value_or("linear"); order != "linear") {
    if (section.has("first_gpu")) section.refuse("first_gpu", "expected only with a linear order");
    job.order_file = section.source().path_of(order);
  }
  if (section.has("predicted"))
    take_prediction(section, workload, job);
  else
    take_work(section, workload, job);
  const std::string_view place = job.order_file.empty() ? "first_gpu" : "order";
  job.where = section.where(section.has(place) ? place : section.has("predicted") ? "predicted" : "ranks");
  workload.jobs.push_back(std::move(job));
}

WorkloadFile workload_from(const core::TomlSection& root, const std::string& file) {
  WorkloadFile workload{.file = file, .name = root.word("name").value_or(file)};
  if (!root.has("job")) {
    root.allow({"name", "ranks", "order", "processor_usage", "stream", "predicted", "job"});
    append_job(root, workload);
    return workload;
  }
  root.allow({"name", "job"});
  std::vector<std::string_view> keys(place_keys.begin(), place_keys.end());
  keys.insert(keys.end(), work_keys.begin(), work_keys.end());
  keys.emplace_back("predicted");
  for (const core::TomlSection& section : root.tables("job")) {
    section.allow(keys);
    append_job(section, workload);
  }
  const double first_us = std::ranges::min(workload.jobs, {}, &Job::start_us).start_us;
  for (Job& job : workload.jobs) job.start_us -= first_us;
  return workload;
}

}  // namespace

bool Operation::sends_as(const Operation& other) const {
  const auto sends = [](const Operation& one) {
    return std::tie(one.kind, one.collective, one.algorithm, one.pattern, one.all_to_all_steps, one.blocks,
                    one.matrix, one.bytes, one.by, one.seed, one.times, one.groups, one.rounds);
  };
  return sends(*this) == sends(other);
}

std::size_t Operation::ranks() const {
  std::size_t count = 0;
  for (const RankGroup& group : groups) count += group.size();
  return count;
}

std::string Operation::text() const {
  const std::string repeated =
      (name.empty() ? "" : name + ": ") + (times > 1 ? fmt::format("{} times ", times) : "");
  if (kind == OperationKind::compute)
    return fmt::format("{}{} of compute", repeated, core::format_seconds(1e-6 * compute_us));
  return fmt::format("{}{} {}{} on {} GPUs{}", repeated, core::format_bytes(static_cast<std::int64_t>(bytes)),
                     collective, algorithm.empty() ? "" : " (" + algorithm + ")", ranks(),
                     groups.size() > 1 ? fmt::format(" in {} groups", groups.size()) : "");
}

WorkloadFile parse_workload(const std::string& toml, const std::string& file) {
  const toml::table table = core::parse_toml(toml, file);
  const core::TomlSource source = training::finite_source(file);
  return workload_from(core::TomlSection(source, table), file);
}

WorkloadFile read_workload(const std::string& file) {
  if (file.ends_with(".json")) {
    const core::TomlSource source = training::finite_source(file);
    const toml::table table = read_predicted_step(file);
    return workload_from(core::TomlSection(source, table), file);
  }
  return parse_workload(core::read_input(file, "a workload in TOML", longest_workload), file);
}

}  // namespace assay::model::fabric
