// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "results/peers/tools/perftest_run.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "harness/core/statistics/statistics.hpp"
#include "results/peers/condition_names.hpp"
#include "results/peers/text/columns.hpp"

namespace assay::results::peers {
namespace {

struct PerftestVerb {
  std::string_view tool, operation;
  bool ours = false, whole_round_trip = false;
};
constexpr std::array perftest_verbs{
    PerftestVerb{"RDMA_Write", "write", true},   PerftestVerb{"RDMA_Read", "read", true, true},
    PerftestVerb{"Send", "send", true},          PerftestVerb{"Atomic", "atomic", false, true},
    PerftestVerb{"RDMA_Write_imm", "write_imm"}, PerftestVerb{"RDMA_Write_with_imm", "write_imm"},
    PerftestVerb{"Raw", "raw_ethernet"},
};

const PerftestVerb* known_verb(std::string_view name) {
  const auto* const found = std::ranges::find(perftest_verbs, name, &PerftestVerb::tool);
  return found == perftest_verbs.end() ? nullptr : found;
}

std::string case_of(const PerftestRun& run, const PerftestVerb& verb) {
  const std::string kind = run.latency ? "latency" : run.bidirectional ? "bidirectional" : "bandwidth";
  return (verb.ours ? "rdma.verbs." : "peers.perftest.") + kind;
}

void put_metric(PeerPoint& point, const char* name, const std::optional<double>& value) {
  if (value) point.metrics.push_back({name, "us", *value});
}

}  // namespace

bool read_perftest_title(std::string_view title, PerftestRun& run) {
  const auto words = columns_of(title, 8);
  if (words.size() < 3 || words.back() != "Test" || !known_verb(words.front())) return false;
  const std::string_view kind = words[words.size() - 2];
  if (kind != "BW" && kind != "Latency") return false;
  run.verb = std::string(words.front());
  run.latency = kind == "Latency";
  run.bidirectional = std::ranges::find(words, "Bidirectional") != words.end();
  run.post_list = std::ranges::find(words, "Post") != words.end();
  return true;
}

PeerPoint perftest_outline(const PerftestRun& run, std::optional<std::int64_t> bytes, long line) {
  const PerftestVerb& verb = *known_verb(run.verb);
  PeerPoint point;
  point.case_name = case_of(run, verb);
  point.axes.emplace_back("operation", std::string(verb.operation));
  if (bytes) point.axes.emplace_back("bytes", *bytes);
  if (!run.latency && run.qps) point.axes.emplace_back("qps", *run.qps);
  if (!run.latency && run.tx_depth) point.axes.emplace_back("tx_depth", *run.tx_depth);
  if (run.posted_together && *run.posted_together > 1)
    point.axes.emplace_back("post_list", *run.posted_together);
  if (!run.device.empty()) point.axes.emplace_back("device", run.device);
  if (!run.transport.empty()) point.axes.emplace_back("transport", lower_case(run.transport));
  if (!run.rdma_cm.empty())
    point.axes.emplace_back("connect", std::string(run.rdma_cm == "ON" ? "rdma_cm" : "exchange"));
  if (run.latency && run.inline_bytes) point.axes.emplace_back("inline_bytes", *run.inline_bytes);
  point.metric = run.latency ? "latency_us" : "bandwidth_gb_per_s";
  point.unit = run.latency ? "us" : "GB/s";
  point.conditions = run.conditions;
  if (!run.latency && run.inline_bytes)
    point.conditions.emplace_back(condition::inline_bytes, *run.inline_bytes);
  point.line = line;
  return point;
}

void add_perftest_rate(const PerftestRun& run, const PerftestRate& row, Findings& findings) {
  const double bytes = static_cast<double>(row.bytes);
  const PrintedNumber by_messages = product(row.messages, {bytes * 1e6 / row.bytes_per_unit, 0});
  constexpr double tolerance = 0.005;
  if (!may_be_equal(by_messages, row.average, tolerance))
    return findings.refusals.push_back(
        {row.line,
         fmt::format("size {}: the message rate times the size is {:.6g}, not the printed average {:.6g}",
                     row.bytes, by_messages.value, row.average.value)});
  PeerPoint point = perftest_outline(run, row.bytes, row.line);
  point.value = row.average.value * row.bytes_per_unit * 1e-9;
  point.statistic = "mean over the run";
  point.executions = row.iterations;
  point.metrics = {{"message_rate_m_per_s", "M/s", row.messages.value}};
  // With -N or -D it is printed as 0, and was not measured.
  if (row.peak.value > 0)
    point.metrics.push_back({"peak_gb_per_s", "GB/s", row.peak.value * row.bytes_per_unit * 1e-9});
  findings.points.push_back(std::move(point));
}

void add_perftest_latency(const PerftestRun& run, const PerftestLatency& row, Findings& findings) {
  constexpr std::int64_t left_out =
      3;  // n iterations have n - 1 intervals, of which the two longest are dropped
  PeerPoint point = perftest_outline(run, row.bytes, row.line);
  const std::string trips = known_verb(run.verb)->whole_round_trip ? "round trips" : "half round trips";
  point.executions = row.iterations;
  if (!row.samples_us.empty()) {
    point.value = core::quantile_of(row.samples_us, 0.5);
    point.samples = row.samples_us;
    point.n = static_cast<std::int64_t>(row.samples_us.size());
    point.statistic = "median of " + trips;
  } else if (row.typical_us) {
    point.value = row.typical_us;
    point.n = std::max<std::int64_t>(0, row.iterations - left_out);
    point.statistic = "median of " + trips + "; the two longest left out";
  } else {
    point.value = row.mean_us;
    point.statistic = "mean of " + trips;
  }
  if (row.typical_us) put_metric(point, "mean_us", row.mean_us);
  put_metric(point, "min_us", row.min_us);
  put_metric(point, "third_longest_us", row.max_us);
  put_metric(point, "p99_us", row.p99_us);
  put_metric(point, "p999_us", row.p999_us);
  findings.points.push_back(std::move(point));
}

}  // namespace assay::results::peers
