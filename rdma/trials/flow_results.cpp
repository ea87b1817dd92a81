// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "rdma/trials/flow_results.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <numeric>

#include "harness/core/names.hpp"
#include "harness/core/statistics/statistics.hpp"
#include "harness/core/text/json_from.hpp"
#include "harness/core/text/json_text.hpp"
#include "harness/core/units.hpp"
#include "harness/path/spread.hpp"
#include "harness/team/agree.hpp"

namespace assay::rdma {
namespace {

using core::Metric;
using Json = nlohmann::json;

constexpr std::size_t most_listed = 4096;  // flows, all pairs of 64 hosts; of more, the distribution must do

void add_flows(std::vector<Metric>& metrics, const std::vector<double>& rates) {
  metrics.push_back({"sum_gb_per_s", "GB/s", std::accumulate(rates.begin(), rates.end(), 0.0)});
  metrics.push_back({core::names::slowest_flow_gb_per_s, "GB/s", std::ranges::min(rates)});
  metrics.push_back({core::names::median_flow_gb_per_s, "GB/s", core::quantile_of(rates, 0.5)});
  metrics.push_back({"flow_jain_index", "", path::jain_index(rates)});
}

void add_queue_pairs(std::vector<Metric>& metrics, const std::vector<std::int64_t>& posted) {
  if (posted.size() < 2) return;
  const std::vector<double> shares(posted.begin(), posted.end());
  const double mean = std::accumulate(shares.begin(), shares.end(), 0.0) / static_cast<double>(shares.size());
  if (mean <= 0) return;
  metrics.push_back({"qp_max_over_mean", "", std::ranges::max(shares) / mean});
  metrics.push_back({"qp_jain_index", "", path::jain_index(shares)});
}

void add_probe(std::vector<Metric>& metrics, const FlowResult& result) {
  if (result.each_s.empty()) return;
  const core::Summary summary = core::summarize(result.each_s);
  metrics.push_back({core::names::victim_latency_us, "us", summary.median * 1e6});
  if (summary.p99) metrics.push_back({core::names::victim_p99_latency_us, "us", *summary.p99 * 1e6});
  metrics.push_back({core::names::victim_max_latency_us, "us", summary.max * 1e6});
  metrics.push_back({core::names::victim_messages, "", static_cast<double>(summary.n)});
}

}  // namespace

double FlowResult::gb_per_s(const Flow& flow_of) const {
  return seconds <= 0
             ? 0
             : core::gb_per_s(static_cast<double>(flow_of.message.bytes) * static_cast<double>(messages),
                              seconds);
}

std::vector<FlowResult> gather_results(team::Team& team, std::vector<Sender>& senders) {
  const auto answers = team::agree(team, [&] {
    Json own = Json::array();
    for (const Sender& sender : senders)
      own.push_back({{"flow", sender.flow()},
                     {"seconds", sender.total_seconds()},
                     {"messages", sender.total_messages()},
                     {"posted", sender.posted()},
                     {"each_s", sender.probe() ? sender.each_s() : std::vector<double>{}}});
    return core::json_text(own);
  });
  std::vector<FlowResult> all;
  for (const std::string& answer : answers)
    for (const Json& one : core::json_from<Json>(answer))
      all.push_back({one.at("flow"), one.at("seconds"), one.at("messages"),
                     one.at("posted").get<std::vector<std::int64_t>>(),
                     one.at("each_s").get<std::vector<double>>()});
  std::ranges::sort(all, {}, &FlowResult::flow);
  return all;
}

std::vector<Metric> metrics_of(const std::vector<FlowResult>& results, const std::vector<Flow>& flows) {
  std::vector<Metric> metrics;
  std::vector<double> rates;
  double messages_per_s = 0;
  for (const FlowResult& result : results) {
    const Flow& flow = flows[result.flow];
    if (flow.probe) {
      add_probe(metrics, result);
      continue;
    }
    rates.push_back(result.gb_per_s(flow));
    if (result.seconds > 0) messages_per_s += static_cast<double>(result.messages) / result.seconds;
  }
  metrics.push_back({core::names::message_rate_m_per_s, "M/s", messages_per_s * 1e-6});
  if (rates.size() > 1) add_flows(metrics, rates);
  if (rates.size() == 1) add_queue_pairs(metrics, results.front().posted);
  return metrics;
}

double bytes_posted(const std::vector<FlowResult>& results, const std::vector<Flow>& flows) {
  double bytes = 0;
  for (const FlowResult& result : results)
    for (const std::int64_t posted : result.posted)
      bytes += static_cast<double>(posted) * static_cast<double>(flows[result.flow].message.bytes);
  return bytes;
}

std::vector<core::FlowReport> flow_reports(
    const std::vector<FlowResult>& results, const std::vector<Flow>& flows,
    const std::vector<std::vector<core::QueuePairReport>>& queue_pairs) {
  std::vector<core::FlowReport> reports;
  for (const FlowResult& result : results)
    if (const Flow& flow = flows[result.flow]; !flow.probe)
      reports.push_back({.from = flow.from,
                         .to = flow.to,
                         .gb_per_s = result.gb_per_s(flow),
                         .queue_pairs = queue_pairs[result.flow]});
  if (reports.size() > most_listed) reports.clear();
  return reports;
}

}  // namespace assay::rdma
