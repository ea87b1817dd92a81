// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "results/expected/believable.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <sstream>

#include "harness/core/error.hpp"
#include "harness/core/files/input_file.hpp"
#include "harness/core/files/sha256.hpp"
#include "harness/core/process/side_by_side.hpp"
#include "results/expected/operation.hpp"
#include "results/expected/physical_bound.hpp"
#include "results/peers/condition_names.hpp"
#include "results/peers/path_pattern.hpp"
#include "results/peers/peer_time.hpp"
#include "results/peers/text/columns.hpp"
#include "results/record/json/record_rules.hpp"

namespace assay::results::expected {
namespace {

using peers::DoubtKind;
using peers::PeerBlock;
using peers::PeerPoint;

std::optional<double> metric_in(const PeerPoint& point, std::string_view name) {
  for (const Metric& metric : point.metrics)
    if (metric.name == name) return metric.value;
  return point.metric == name ? point.value : std::nullopt;
}

std::string gpu_of(const PeerBlock& block, const PeerPoint& point) {
  if (const Scalar* const name = find(point.conditions, peers::condition::gpu_name))
    return word_or_empty(*name);
  return block.findings.gpu_names.empty() ? "" : block.findings.gpu_names.front();
}

Question question_of(const PeerPoint& point, const System& system) {
  Question question{.operation = operation_of(point.case_name, point.axes), .system = system.name};
  question.gpus = point.ranks.value_or(1);
  question.nodes = std::max<std::int64_t>(1, std::ssize(point.hosts));
  if (const Scalar* const bytes = find(point.axes, "bytes"))
    if (const auto* const size = std::get_if<std::int64_t>(bytes)) question.bytes = *size;
  question.value = metric_in(point, metric_of(question.operation)).value_or(0);
  return question;
}

/// Rates are rounded, and clocks differ: a small excess is none.
constexpr double excess = 1.02;

void doubt_physics(const System& system, PeerPoint& point) {
  const Question question = question_of(point, system);
  if (question.operation.empty() || !(question.value > 0)) return;
  for (const PhysicalBound& bound : physical_bounds(question, system))
    if (question.value > bound.value * excess)
      return add_doubt(point.doubts,
                       {DoubtKind::above_physics, fmt::format("{:.5g} {}, at most {:.5g}: {}", question.value,
                                                              question.unit(), bound.value, bound.by)});
}

/// The printed average counts skipped iterations or not, and another clock: half or twice is neither.
void doubt_average(PeerPoint& point) {
  const auto printed = metric_in(point, peers::metric::tool_mean_us);
  if (!printed || point.samples.empty() || !(*printed > 0)) return;
  const double mean = std::accumulate(point.samples.begin(), point.samples.end(), 0.0) /
                      static_cast<double>(point.samples.size());
  constexpr double most_apart = 2;
  if (mean > *printed * most_apart || mean * most_apart < *printed)
    add_doubt(point.doubts,
              {DoubtKind::samples_differ, fmt::format("{:.5g} us printed, {:.5g} us of {} samples", *printed,
                                                      mean, point.samples.size())});
}

void doubt_iterations(PeerPoint& point) {
  constexpr std::int64_t least_iterations = 5;
  const bool has_equal = !point.case_name.starts_with("peers.");  // a solve of HPL is one
  if (has_equal && point.executions && point.n == 0 && *point.executions < least_iterations)
    add_doubt(point.doubts, {DoubtKind::few_iterations, std::to_string(*point.executions)});
  if (const Scalar* const warmups = find(point.conditions, peers::condition::warmup_iterations))
    if (*warmups == Scalar(std::int64_t{0})) add_doubt(point.doubts, {DoubtKind::no_warmup});
}

/// All numbers of a block; empty where they are too few for a coincidence to be impossible.
std::string numbers_of(const PeerBlock& block) {
  constexpr std::size_t least_numbers = 6;
  std::string numbers;
  std::size_t count = 0;
  for (const PeerPoint& point : block.findings.points) {
    if (!point.value) continue;
    numbers += fmt::format("{}={};", point.case_name, *point.value);
    for (const double sample : point.samples) numbers += fmt::format("{};", sample);
    count += 1 + point.samples.size();
  }
  return count < least_numbers ? "" : numbers;
}

/// A digest of each block's numbers; empty where they are too few.
std::vector<std::string> digests_of_numbers(const peers::PeerFile& file) {
  std::vector<std::string> digests;
  for (const PeerBlock& block : file.blocks) {
    const std::string numbers = numbers_of(block);
    digests.push_back(numbers.empty() ? "" : core::sha256(numbers));
  }
  return digests;
}

std::string host_of_block(const PeerBlock& block) {
  return block.findings.points.empty() ? "" : peers::short_host(block.findings.points.front().host);
}

}  // namespace

Repairs read_repairs(const std::string& file, std::optional<std::chrono::minutes> zone) {
  constexpr std::size_t most_bytes = std::size_t{16} << 20U;
  std::istringstream lines(
      core::read_input(file, "a CSV file with the columns host and repaired", most_bytes));
  Repairs repairs;
  long number = 0;
  for (std::string line; std::getline(lines, line);) {
    ++number;
    if (line.ends_with('\r')) line.pop_back();
    if (number == 1 && line == "host,repaired") continue;
    if (number == 1)
      core::usage_error(fmt::format("{}:1: expected the columns host,repaired; got '{}'", file, line));
    if (peers::trimmed(line).empty()) continue;
    const std::size_t comma = line.find(',');
    const auto time =
        comma == std::string::npos ? std::nullopt : peers::peer_time(line.substr(comma + 1), zone);
    if (!time || comma == 0)
      core::usage_error(fmt::format(
          "{}:{}: expected a host and a time such as 2026-02-04T01:00:00Z; got '{}'", file, number, line));
    auto& last = repairs[peers::short_host(line.substr(0, comma))];
    last = std::max(last, time->utc);
  }
  return repairs;
}

/// All files are read by several processors; which of two equal logs came first is decided in their order.
void Believability::doubt(std::span<peers::PeerFile> files) {
  std::vector<std::vector<std::string>> digests(files.size());
  core::side_by_side(files.size(), [&](std::size_t at) { digests[at] = digests_of_numbers(files[at]); });
  for (std::size_t at = 0; at < files.size(); ++at) doubt_copies(files[at], digests[at]);
  core::side_by_side(files.size(), [&](std::size_t at) {
    for (PeerBlock& block : files[at].blocks) doubt_points(block);
  });
}

void Believability::doubt_copies(peers::PeerFile& file, std::span<const std::string> digests) {
  for (std::size_t at = 0; at < digests.size(); ++at) {
    if (digests[at].empty()) continue;
    PeerBlock& block = file.blocks[at];
    const std::string host = host_of_block(block);
    const auto [seen, fresh] = seen_.try_emplace(digests[at], Seen{host, file.path.path});
    if (fresh || seen->second.host == host) continue;
    for (PeerPoint& point : block.findings.points)
      add_doubt(point.doubts, {DoubtKind::same_log, seen->second.host + ", " + seen->second.path});
  }
}

void Believability::doubt_points(PeerBlock& block) const {
  std::optional<std::string> gpu;  // of the point before
  const System* system = nullptr;
  for (PeerPoint& point : block.findings.points) {
    doubt_age(point);
    if (point.status != Status::ok) continue;
    if (std::string own = gpu_of(block, point); own != gpu) {
      gpu = std::move(own);
      system = published_.system_of_gpu(*gpu);
    }
    if (system) doubt_physics(*system, point);
    doubt_average(point);
    doubt_iterations(point);
  }
}

void Believability::doubt_age(PeerPoint& point) const {
  if (repairs_.empty()) return;
  const auto time = peers::peer_time(point.started, zone_);
  std::vector<std::string> hosts = point.hosts;
  if (hosts.empty()) hosts = {point.host};
  for (const std::string& host : hosts) {
    const auto repaired = repairs_.find(peers::short_host(host));
    if (repaired == repairs_.end()) continue;
    if (!time)
      add_doubt(point.doubts, {DoubtKind::before_repair, host + " was repaired, and no time is in the file"});
    else if (time->utc < repaired->second)
      add_doubt(point.doubts, {DoubtKind::before_repair, host});
  }
}

}  // namespace assay::results::expected
