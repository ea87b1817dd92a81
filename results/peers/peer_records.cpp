// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "results/peers/peer_records.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>

#include "harness/core/calendar.hpp"
#include "harness/core/files/sha256.hpp"
#include "results/peers/condition_names.hpp"
#include "results/peers/peer_time.hpp"
#include "results/record/json/record_rules.hpp"
#include "results/record/time_summary.hpp"

namespace assay::results::peers {
namespace {

constexpr double unknown = std::numeric_limits<double>::quiet_NaN();

/// Seconds of one unit of the headline's metric; nothing where it is not a time.
std::optional<double> seconds_in(std::string_view unit) {
  if (unit == "s") return 1.0;
  if (unit == "ms") return 1e-3;
  if (unit == "us") return 1e-6;
  return unit == "ns" ? std::optional(1e-9) : std::nullopt;
}

/// The time of an iteration: the headline itself, or bytes over the rate.
std::optional<double> seconds_of(const PeerPoint& point, double value) {
  if (const auto seconds = seconds_in(point.unit)) return value * *seconds;
  const auto bytes = number_in(point.axes, "bytes");
  return point.unit == "GB/s" && bytes && value > 0 ? std::optional(*bytes / (value * 1e9)) : std::nullopt;
}

std::optional<TimeSummary> time_of(const PeerPoint& point, const std::vector<double>& samples_s) {
  if (!samples_s.empty()) return time_summary(core::quantile_interval(samples_s, 0.5, 0.95), samples_s);
  const auto seconds = point.value ? seconds_of(point, *point.value) : std::nullopt;
  if (!seconds) return std::nullopt;
  TimeSummary time;
  time.value_s = *seconds;
  time.n = point.n;
  time.lower_s = time.upper_s = time.min_s = time.max_s = time.cv = unknown;
  time.mean_s = point.statistic.starts_with("mean") ? *seconds : unknown;
  return time;
}

/// A unit is the set of hosts: a run of all is not one of the first.
std::string host_of(const PeerPoint& point) {
  if (point.hosts.size() < 2) return point.host;
  std::vector<std::string> hosts = point.hosts;
  std::ranges::sort(hosts);
  constexpr std::size_t most_named = 4;
  if (hosts.size() <= most_named) return fmt::format("{}", fmt::join(hosts, "+"));
  const std::string digest = core::sha256(fmt::format("{}", fmt::join(hosts, "\n"))).substr(0, 8);
  return fmt::format("{}+{} more ({})", hosts.front(), hosts.size() - 1, digest);
}

Fields conditions_of(const PeerFile& file, const Findings& findings, const PeerPoint& point,
                     const Doubts& doubts) {
  Fields conditions = point.conditions;
  conditions.emplace_back(condition::tool, findings.tool);
  if (!findings.version.empty()) conditions.emplace_back("tool_version", findings.version);
  if (!point.statistic.empty()) conditions.emplace_back(condition::statistic, point.statistic);
  if (point.executions) conditions.emplace_back(condition::executions, *point.executions);
  if (point.ranks) conditions.emplace_back("ranks", *point.ranks);
  if (!point.hosts.empty())
    conditions.emplace_back(condition::hosts, fmt::format("{}", fmt::join(point.hosts, ",")));
  conditions.emplace_back(condition::source_file, file.path.path);
  conditions.emplace_back(condition::source_line, std::int64_t{point.line});
  std::string texts;
  for (const Doubt& doubt : doubts) texts += (texts.empty() ? "" : "; ") + text_of(doubt);
  if (!texts.empty()) conditions.emplace_back(condition::doubts, texts);
  if (std::string text = unbelievable_text(doubts); !text.empty())
    conditions.emplace_back(condition::not_believable, std::move(text));
  return conditions;
}

/// The GPUs of the ranks on one host, which a limits file is for; of several hosts one of each kind.
void name_gpus_of_ranks(const Findings& findings, nlohmann::ordered_json& machine) {
  for (const PeerPoint& point : findings.points) {
    const Scalar* const name = find(point.conditions, condition::gpu_name);
    if (name == nullptr) continue;
    const std::int64_t gpus = point.hosts.empty() ? point.ranks.value_or(1) : 1;
    constexpr std::int64_t most_of_a_host = 72;
    for (std::int64_t gpu = 0; gpu < std::min(gpus, most_of_a_host); ++gpu)
      machine["gpus"].push_back({{"index", gpu}, {"name", word_or_empty(*name)}});
    return;
  }
}

nlohmann::ordered_json machine_of(const std::string& host, const Findings& findings) {
  nlohmann::ordered_json machine{
      {"host", host}, {"gpus", nlohmann::ordered_json::array()}, {"hcas", nlohmann::ordered_json::array()}};
  for (std::size_t gpu = 0; gpu < findings.gpu_names.size(); ++gpu)
    machine["gpus"].push_back({{"index", gpu}, {"name", findings.gpu_names[gpu]}});
  if (findings.gpu_names.empty()) name_gpus_of_ranks(findings, machine);
  return machine;
}

class RunRecords {
 public:
  RunRecords(const PeerFile& file, const PeerBlock& block, const std::string& host,
             const RecordSettings& settings)
      : file_(file), block_(block), settings_(settings) {
    run_.run_id = "imported-" + core::sha256(block.digest + "\n" + host).substr(0, 32);
    context_.run_id = run_.run_id;
    context_.host = host;
    context_.origin = Origin::imported;
    context_.assay_version = settings.assay_version;
    context_.source_revision = block.findings.version;
    context_.command_line = block.findings.command_line;
    context_.plan_name = block.findings.tool;
    context_.plan = {{"name", block.findings.tool}, {"about", "imported: " + std::string(block.title)}};
    for (const auto& [name, value] : block.findings.environment)
      context_.environment[name] = word_or_empty(value);
    context_.machine = machine_of(host, block.findings);
  }

  void add(const PeerPoint& point) {
    Doubts doubts = point.doubts;
    const std::string started = started_of(point, doubts);
    PointRecord record;
    record.run_id = run_.run_id;
    record.sequence = static_cast<std::int64_t>(points_.size());
    record.case_name = point.case_name;
    record.module = point.case_name.substr(0, point.case_name.find('.'));
    record.point = point.axes;
    record.key = key_of(point.axes);
    record.repetition = seen_[record.case_name + " " + record.key]++;
    record.status = point.status;
    record.reason = point.reason;
    record.started = started;
    record.conditions = conditions_of(file_, block_.findings, point, doubts);
    if (is_measured(point.status)) put_measurement(point, record);
    points_.emplace_back(std::move(record));
  }

  PeerRun finish() {
    const auto& first = std::get<PointRecord>(points_.front());
    context_.started = first.started;
    context_.module = first.module;
    EndRecord end{.run_id = run_.run_id,
                  .module = context_.module,
                  .ended = std::get<PointRecord>(points_.back()).started};
    end.points = static_cast<std::int64_t>(points_.size());
    run_.records.emplace_back(context_);
    std::ranges::move(points_, std::back_inserter(run_.records));
    run_.records.emplace_back(end);
    return std::move(run_);
  }

 private:
  std::string started_of(const PeerPoint& point, Doubts& doubts) const {
    const auto time = peer_time(point.started, settings_.zone);
    if (!time) add_doubt(doubts, {DoubtKind::no_time, "the time of the import"});
    if (!time) return settings_.now;
    if (time->zone_assumed) add_doubt(doubts, {DoubtKind::time_zone_unknown});
    if (!time->zone_assumed)
      std::erase_if(doubts, [](const Doubt& doubt) { return doubt.kind == DoubtKind::time_zone_unknown; });
    return core::iso_time(time->utc);
  }

  void put_measurement(const PeerPoint& point, PointRecord& record) const {
    for (const double sample : point.samples)
      if (const auto seconds = seconds_of(point, sample)) record.samples_s.push_back(*seconds);
    record.time = time_of(point, record.samples_s);
    if (point.value) record.metrics.push_back({point.metric, point.unit, *point.value});
    record.metrics.insert(record.metrics.end(), point.metrics.begin(), point.metrics.end());
    if (point.unit == "GB/s") record.work_bytes = number_in(point.axes, "bytes").value_or(0);
    record.bytes_counted = "as " + block_.findings.tool + " counts";
    record.cold_first_s = unknown;
    record.verification = {.result = point.verification,
                           .why = "imported: " + block_.findings.tool +
                                  (block_.findings.version.empty() ? "" : " " + block_.findings.version)};
  }

  const PeerFile& file_;
  const PeerBlock& block_;
  const RecordSettings& settings_;
  PeerRun run_;
  ContextRecord context_;
  std::vector<Record> points_;
  std::map<std::string, std::int64_t> seen_;  // points of one case and key
};

}  // namespace

std::string key_of(const Fields& axes) {
  std::string key;
  for (const auto& [name, value] : axes)
    key += (key.empty() ? "" : ",") + name + "=" +
           std::visit([](const auto& held) { return fmt::format("{}", held); }, value);
  return key;
}

std::vector<PeerRun> records_of(const PeerFile& file, const RecordSettings& settings,
                                std::vector<Refusal>& refusals) {
  std::vector<PeerRun> runs;
  for (const PeerBlock& block : file.blocks) {
    std::map<std::string, RunRecords> hosts;
    for (const PeerPoint& point : block.findings.points) {
      const std::string host = host_of(point);
      if (!host.empty())
        hosts.try_emplace(host, file, block, host, settings).first->second.add(point);
      else if (refusals.empty() || refusals.back().line != block.line)
        refusals.push_back({block.line, "the host is unknown: pass --host NAME, or --path with {host}"});
    }
    for (auto& [host, records] : hosts) runs.push_back(records.finish());
  }
  return runs;
}

}  // namespace assay::results::peers
