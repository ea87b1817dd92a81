// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "model/fabric/file/workload_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string_view>
#include <tuple>

#include "harness/core/error.hpp"
#include "harness/core/files/input_file.hpp"
#include "harness/core/units.hpp"
#include "model/fabric/file/operation_sections.hpp"
#include "model/fabric/file/predicted_step.hpp"

namespace assay::model::fabric {

namespace {

constexpr std::size_t longest_workload = std::size_t{16} << 20U;  // bytes
constexpr std::uint32_t most_ranks = 1U << 24U;

std::size_t stream_named(const core::TomlSection& section, const std::vector<Stream>& streams,
                         const std::string& name) {
  const auto found = std::ranges::find(streams, name, &Stream::name);
  if (found == streams.end()) section.refuse("after", fmt::format("there is no stream '{}'", name));
  return static_cast<std::size_t>(found - streams.begin());
}

/// Streams that can begin, again and again, until none is left.
void refuse_circles(const std::vector<core::TomlSection>& sections, const std::vector<Stream>& streams) {
  std::vector<char> ended(streams.size());
  for (bool any = true; any;) {
    any = false;
    for (std::size_t at = 0; at < streams.size(); ++at) {
      const auto is_ended = [&](std::size_t before) { return ended[before] != 0; };
      if (ended[at] != 0 || !std::ranges::all_of(streams[at].after, is_ended)) continue;
      any = true;
      ended[at] = 1;
    }
  }
  const auto waiting = std::ranges::find(ended, 0);
  if (waiting != ended.end())
    sections[static_cast<std::size_t>(waiting - ended.begin())].refuse(
        "after", "streams wait for one another in a circle: expected a first one");
}

std::vector<Stream> read_streams(const core::TomlSection& job, RankRange ranks) {
  const std::vector<core::TomlSection> sections = job.tables("stream");
  if (sections.empty()) job.missing("stream", "tables [[stream]]");
  std::vector<Stream> streams;
  for (const core::TomlSection& section : sections) {
    section.allow({"name", "after", "op"});
    Stream stream{.name = section.word("name").value_or(fmt::format("stream {}", streams.size() + 1))};
    if (std::ranges::find(streams, stream.name, &Stream::name) != streams.end())
      section.refuse("name", fmt::format("two streams are named '{}'", stream.name));
    const std::vector<core::TomlSection> operations = section.tables("op");
    if (operations.empty()) section.missing("op", "tables [[stream.op]]");
    for (const core::TomlSection& one : operations) stream.operations.push_back(read_operation(one, ranks));
    streams.push_back(std::move(stream));
  }
  for (std::size_t at = 0; at < streams.size(); ++at)
    for (const std::string& name : sections[at].words("after").value_or(std::vector<std::string>()))
      streams[at].after.push_back(stream_named(sections[at], streams, name));
  refuse_circles(sections, streams);
  return streams;
}

/// Keys that say where and when a job runs, and keys of what it does.
constexpr std::array<std::string_view, 4> place_keys = {"name", "order", "first_gpu", "start_us"};
constexpr std::array<std::string_view, 3> work_keys = {"ranks", "processor_usage", "stream"};

/// Fills ranks and streams, which come after those of the workload's other jobs.
void take_work(const core::TomlSection& section, WorkloadFile& workload, Job& job) {
  const auto ranks = section.count("ranks", 1, most_ranks);
  if (!ranks) section.missing("ranks", "a whole number of at least 1");
  if (job.ranks.first + *ranks > most_ranks)
    section.refuse("ranks", fmt::format("expected at most {} in all jobs", most_ranks));
  job.ranks.count = *ranks;
  job.processor_usage =
      section.number("processor_usage", {.lowest = 0, .highest = 1, .excludes_highest = true}).value_or(0);
  const std::size_t earlier = workload.streams.size();
  for (Stream& stream : read_streams(section, job.ranks)) {
    stream.job = workload.jobs.size();
    for (std::size_t& before : stream.after) before += earlier;
    workload.streams.push_back(std::move(stream));
  }
}

/// Fills ranks and streams as take_work() does, from `predicted`, a file of assay predict.
void take_prediction(const core::TomlSection& section, WorkloadFile& workload, Job& job) {
  for (const std::string_view key : work_keys)
    if (section.has(key)) section.refuse(key, "expected without 'predicted', which says it");
  const core::TomlSource source = fabric_source(section.source().path_of(*section.word("predicted")));
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
  const core::TomlSource source = fabric_source(file);
  return workload_from(core::TomlSection(source, table), file);
}

WorkloadFile read_workload(const std::string& file) {
  if (file.ends_with(".json")) {
    const core::TomlSource source = fabric_source(file);
    const toml::table table = read_predicted_step(file);
    return workload_from(core::TomlSection(source, table), file);
  }
  return parse_workload(core::read_input(file, "a workload in TOML", longest_workload), file);
}

}  // namespace assay::model::fabric
