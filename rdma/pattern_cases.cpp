// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Cases over all ranks at once: every pair, incast, ring shift, permutation, bisection; and one flow over
// many queue pairs, for the paths they take.
#include <optional>
#include <string>
#include <vector>

#include "harness/path/ideal_hash.hpp"
#include "harness/path/switch_hash.hpp"
#include "rdma/path/measured_spread.hpp"
#include "rdma/pattern_declarations.hpp"
#include "rdma/trials/conditions.hpp"
#include "rdma/verbs_case.hpp"

namespace assay::rdma {
namespace {

std::string bytes_of(const ibv_gid& gid, bool ipv4) {
  const char* raw = reinterpret_cast<const char*>(gid.raw);
  return ipv4 ? std::string(raw + 12, 4) : std::string(raw, 16);
}

class PathEntropy : public OnVerbs<DeclaredPathEntropy>, public StreamTrial {
 public:
  PathEntropy(const Settings& at, TeamSite& site) : PathEntropy(at, site, SeatedPair(at, site)) {}

  std::vector<core::Metric> metrics(const core::Measurement& measurement) {
    std::vector<core::Metric> metrics = StreamTrial::metrics(measurement);
    const path::IdealHash ideal = path::IdealHash::simulate(wiring().settings().posting.qps, uplinks_);
    metrics.push_back({"ideal_hash_median_max_over_mean", "", ideal.max_over_mean(0.5)});
    if (const auto spread = predicted())
      metrics.push_back({"simulated_crc32_max_over_mean", "", spread->max_over_mean});
    return metrics;
  }

  std::vector<core::Fact> facts() {
    std::vector<core::Fact> facts = StreamTrial::facts();
    if (results().empty() || stream().senders().empty()) return facts;
    const std::vector<double> shares(results().front().posted.begin(), results().front().posted.end());
    const MeasuredSpread measured = judge_bandwidths(shares, uplinks_);
    facts.emplace_back("measured_spread", to_string(measured.judgement.verdict));
    facts.emplace_back("measured_spread_why", measured.judgement.reason);
    return facts;
  }

 private:
  PathEntropy(const Settings& at, TeamSite& site, const SeatedPair& pair)
      : StreamTrial(site.machine, site.team, pair.seats.own,
                    schedule_of({{pair.ends}}, Ways::one, pair.seats.own)),
        uplinks_(static_cast<int>(at.number)) {}

  /// The spread that a CRC-32 hash of the flows' five-tuples would give, before a packet was sent.
  std::optional<path::Spread> predicted() {
    const std::vector<int> ports = source_ports(wiring());
    if (ports.empty()) return std::nullopt;
    const bool ipv4 = wiring().gid().ipv4();
    std::vector<path::FiveTuple> tuples;
    for (const int port : ports)
      tuples.push_back({bytes_of(wiring().gid().raw, ipv4), bytes_of(wiring().peer_gid(), ipv4),
                        static_cast<std::uint16_t>(port)});
    return path::spread_of(uplinks_of(tuples, path::SwitchHash::crc32, 0, uplinks_), uplinks_);
  }

  int uplinks_;
};

}  // namespace

std::vector<core::Case> pattern_cases(const Surroundings& around) {
  using core::case_of;
  return {case_of<Paired<DeclaredAllPairs>>(around),    case_of<Streamed<DeclaredIncast>>(around),
          case_of<Streamed<DeclaredRingShift>>(around), case_of<Streamed<DeclaredPermutation>>(around),
          case_of<Streamed<DeclaredBisection>>(around), case_of<PathEntropy>(around)};
}

}  // namespace assay::rdma
