// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "rdma/trials/path_trial.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "harness/core/error.hpp"
#include "rdma/path/ideal_hash.hpp"
#include "rdma/path/measured_spread.hpp"
#include "rdma/path/switch_hash.hpp"
#include "rdma/trials/conditions.hpp"

namespace assay::rdma {
namespace {

std::string bytes_of(const ibv_gid& gid, bool ipv4) {
  const char* raw = reinterpret_cast<const char*>(gid.raw);
  return ipv4 ? std::string(raw + 12, 4) : std::string(raw, 16);
}

const char* word_of(SpreadVerdict verdict) {
  switch (verdict) {
    case SpreadVerdict::worse:
      return "worse";
    case SpreadVerdict::within:
      return "within";
    case SpreadVerdict::better:
      return "better";
  }
  return "within";
}

}  // namespace

PathTrial::PathTrial(const machine::Machine& machine, team::Team& team, const Settings& settings, int uplinks)
    : StreamTrial(machine, team, settings, one_way(settings)), uplinks_(uplinks) {
  if (uplinks < 1) core::usage_error(fmt::format("uplinks={}: expected at least 1", uplinks));
}

/// The spread that a CRC-32 hash of the flows' five-tuples would give, before a packet was sent.
std::optional<Spread> PathTrial::predicted() {
  const std::vector<int> ports = source_ports(wiring());
  if (ports.empty()) return std::nullopt;
  const bool ipv4 = wiring().gid().ipv4();
  std::vector<FiveTuple> tuples;
  for (const int port : ports)
    tuples.push_back({bytes_of(wiring().gid().raw, ipv4), bytes_of(wiring().peer_gid(), ipv4),
                      static_cast<std::uint16_t>(port)});
  return spread_of(uplinks_of(tuples, SwitchHash::crc32, 0, uplinks_), uplinks_);
}

std::vector<core::Metric> PathTrial::metrics(const core::Measurement& measurement) {
  std::vector<core::Metric> metrics = StreamTrial::metrics(measurement);
  const IdealHash ideal = IdealHash::simulate(wiring().settings().posting.qps, uplinks_);
  metrics.push_back({"ideal_hash_median_max_over_mean", "", ideal.max_over_mean(0.5)});
  if (const auto spread = predicted())
    metrics.push_back({"simulated_crc32_max_over_mean", "", spread->max_over_mean});
  return metrics;
}

std::vector<core::Fact> PathTrial::facts() {
  std::vector<core::Fact> facts = StreamTrial::facts();
  if (results().empty() || stream().senders().empty()) return facts;
  const std::vector<double> shares(results().front().posted.begin(), results().front().posted.end());
  const MeasuredSpread measured = judge_bandwidths(shares, uplinks_);
  facts.emplace_back("measured_spread", word_of(measured.judgement.verdict));
  facts.emplace_back("measured_spread_why", measured.judgement.reason);
  return facts;
}

}  // namespace assay::rdma
