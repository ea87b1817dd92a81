// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// The JSON lines of NCCL Inspector, format v4: an operation of one rank each. Ranks of an operation are
// joined by communicator and number, and the slowest counts; its three clocks are not mixed.
// coll_msg_size_bytes is one rank's part for all_gather and reduce_scatter.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <set>

#include "harness/core/statistics/statistics.hpp"
#include "results/peers/condition_names.hpp"
#include "results/peers/text/calendar_text.hpp"
#include "results/peers/text/columns.hpp"
#include "results/peers/text/lenient_json.hpp"
#include "results/peers/tools/nccl_ranks.hpp"

namespace assay::results::peers {
namespace {

struct InspectedOperation {
  std::string_view tool, ours;
  bool is_part = false;  // the printed bytes are those of one rank's part
};
constexpr std::array inspected_operations{
    InspectedOperation{"AllReduce", "all_reduce"}, InspectedOperation{"AllGather", "all_gather", true},
    InspectedOperation{"ReduceScatter", "reduce_scatter", true}, InspectedOperation{"Broadcast", "broadcast"},
    InspectedOperation{"Reduce", "reduce"}};

bool inspector_opens(Lines lines, std::size_t at, std::size_t begin) {
  if (begin < lines.size()) return false;
  constexpr std::array<std::string_view, 2> keys{"coll_perf", "p2p_perf"};
  const std::string_view text = trimmed(lines[at].text);
  return text.starts_with("{\"header\"") && opens_json(lines, at, keys);
}

/// Points of one operation on one communicator: the size, the clock and the ranks.
struct InspectedKey {
  const InspectedOperation* operation = nullptr;
  std::int64_t bytes = 0, ranks = 0, nodes = 0;
  std::string clock;
  auto operator<=>(const InspectedKey&) const = default;
};

struct InspectedTime {
  double us = 0;
  std::set<std::int64_t> ranks;
};

struct InspectedSeries {
  std::map<std::pair<std::string, std::int64_t>, InspectedTime> operations;  // by communicator and number
  std::set<std::string> hosts;
  std::int64_t first_us = 0;  // of the epoch
  long line = 0;
};

class Inspector {
 public:
  Inspector(const Block& block, Findings& findings) : block_(block), findings_(findings) {}

  void read() {
    findings_.tool = "nccl-inspector";
    for (const Line& line : block_.lines) {
      const std::string_view text = trimmed(line.text);
      if (text.empty()) continue;
      if (text.front() != '{' || block_.is_torn(line)) {
        count_unparsed();
        continue;
      }
      read_line(line);
    }
    for (const auto& [key, series] : series_) add(key, series);
    leave_out(other_operations_, "operations that are no collective of assay");
    leave_out(too_short_, "operations of less than the clock's microsecond");
  }

 private:
  void read_line(const Line& line) {
    const JsonReading reading = read_json(Lines(&line, 1));
    if (!reading.refused.empty() || reading.torn) return count_unparsed();
    const JsonNode* const header = reading.root.find("header");
    const JsonNode* const metadata = reading.root.find("metadata");
    const JsonNode* const perf = reading.root.find("coll_perf");
    if (!header || !metadata) return count_unparsed();
    if (!perf) return void(++other_operations_);
    findings_.version = without_v(text_member(*metadata, "inspector_output_format_version"));
    take(line, *header, *metadata, *perf);
  }

  void take(const Line& line, const JsonNode& header, const JsonNode& metadata, const JsonNode& perf) {
    const std::string name = text_member(perf, "coll");
    const auto* const operation = std::ranges::find(inspected_operations, name, &InspectedOperation::tool);
    if (operation == inspected_operations.end()) return void(++other_operations_);
    const auto size = whole_member(perf, "coll_msg_size_bytes"),
               time = whole_member(perf, "coll_exec_time_us"), ranks = whole_member(header, "n_ranks"),
               rank = whole_member(header, "rank"), number = whole_member(perf, "coll_sn");
    constexpr std::int64_t most_bytes = std::int64_t{1} << 44, most_ranks = 1 << 20;
    if (!size || !time || !ranks || !rank || !number || *size <= 0 || *size > most_bytes || *ranks < 1 ||
        *ranks > most_ranks || *time < 0)
      return count_unparsed();
    if (*time == 0) return void(++too_short_);
    const std::int64_t bytes = operation->is_part ? *size * *ranks : *size;
    if (const auto rate = number_member(perf, "coll_algobw_gbs"); rate && !is_rate(bytes, *time, *rate))
      return findings_.refusals.push_back(
          {line.number, "bytes over time are not the printed algbw: the operation was left out"});
    std::string clock = text_member(perf, "coll_timing_source");
    InspectedSeries& series = series_[{operation, bytes, *ranks, whole_member(header, "nnodes").value_or(0),
                                       clock.empty() ? "not stated" : std::move(clock)}];
    InspectedTime& one = series.operations[{text_member(header, "id"), *number}];
    one.us = std::max(one.us, static_cast<double>(*time));
    one.ranks.insert(*rank);
    if (const std::string host = text_member(metadata, "hostname"); !host.empty()) series.hosts.insert(host);
    const std::int64_t at_us = whole_member(metadata, "dump_timestamp_us").value_or(0);
    if (series.line == 0) series.line = line.number, series.first_us = at_us;
  }

  static bool is_rate(std::int64_t bytes, std::int64_t time_us, double algbw) {
    constexpr double whole_microseconds = 1e-3;
    const double rate = static_cast<double>(bytes) * 1e-3 / static_cast<double>(time_us);
    return std::abs(rate - algbw) <= whole_microseconds * algbw + 1e-5;
  }

  void add(const InspectedKey& key, const InspectedSeries& series) {
    PeerPoint point;
    point.case_name = "collectives.nccl." + std::string(key.operation->ours);
    point.axes = {{"launch", std::string("application")}, {"bytes", key.bytes}, {"clock", key.clock}};
    point.metric = "time_us";
    point.unit = "us";
    point.ranks = key.ranks;
    point.line = series.line;
    if (!series.hosts.empty()) point.host = *series.hosts.begin();
    if (series.hosts.size() > 1) point.hosts.assign(series.hosts.begin(), series.hosts.end());
    if (series.first_us > 0) point.started = started_of_epoch(series.first_us / 1'000'000);
    if (key.nodes > 0) point.conditions.emplace_back("nodes", key.nodes);
    std::size_t fewest = static_cast<std::size_t>(key.ranks);
    for (const auto& [operation, time] : series.operations) {
      point.samples.push_back(time.us);
      fewest = std::min(fewest, time.ranks.size());
    }
    if (std::cmp_less(fewest, key.ranks)) {
      const std::string ranks = fmt::format("{} of {} ranks", fewest, key.ranks);
      add_doubt(point.doubts,
                {DoubtKind::ranks_missing, ranks + " are in the file; join the files of all processes"});
      point.conditions.emplace_back(condition::averaged_over, ranks);
    }
    point.n = static_cast<std::int64_t>(point.samples.size());
    point.value = core::quantile_of(point.samples, 0.5);
    point.statistic = "median over operations of the slowest rank";
    const double algbw = static_cast<double>(key.bytes) * 1e-3 / *point.value;
    const double factor = bus_factor(key.operation->ours, key.ranks).value_or(1);
    point.metrics = {{"algbw_gb_per_s", "GB/s", algbw}, {"busbw_gb_per_s", "GB/s", algbw * factor}};
    findings_.points.push_back(std::move(point));
  }

  void leave_out(std::int64_t count, const char* what) {
    if (count > 0)
      add_doubt(findings_.doubts, {DoubtKind::unparsed_lines, fmt::format("{} {}", count, what)});
  }
  void count_unparsed() { ++findings_.unparsed_lines; }

  const Block& block_;
  Findings& findings_;
  std::map<InspectedKey, InspectedSeries> series_;
  std::int64_t other_operations_ = 0, too_short_ = 0;
};

void read_inspector(const Block& block, Findings& findings) { Inspector(block, findings).read(); }

}  // namespace

Reader nccl_inspector_reader() {
  return {.kind = "nccl-inspector",
          .title = "NCCL Inspector JSON lines",
          .opens = inspector_opens,
          .read = read_inspector};
}

}  // namespace assay::results::peers
