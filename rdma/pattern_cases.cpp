// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Cases over all ranks at once: every pair, incast, ring shift, permutation, bisection; and one flow over
// many queue pairs, for the paths they take.
#include <fmt/format.h>

#include <string_view>
#include <utility>

#include "harness/core/error.hpp"
#include "harness/path/ideal_hash.hpp"
#include "harness/path/switch_hash.hpp"
#include "rdma/path/measured_spread.hpp"
#include "rdma/traffic/pattern.hpp"
#include "rdma/trials/conditions.hpp"
#include "rdma/verbs_case.hpp"

namespace assay::rdma {
namespace {

using core::Axis;
using core::Case;
using core::Domain;
using core::Point;
using core::Value;

std::vector<Axis> message_axes(std::vector<Axis> first, std::int64_t bytes = 1 << 20) {
  first.push_back(operation_axis({"write"}));
  first.push_back(bytes_axis({bytes}));
  return with_connection(joined(std::move(first), posting_axes()));
}

/// A point of a pattern with one number of its own.
struct NumberedPoint : VerbsPoint {
  std::int64_t number = 0;
};

Round round_of(const std::vector<Pair>& pairs, const Settings& settings) {
  Round round;
  for (const auto& [from, to] : pairs) round.push_back(flow_between(from, to, settings));
  return round;
}

struct Pairs : StreamCase {
  static constexpr std::string_view name = "rdma.verbs.pairs";
  static constexpr std::string_view measures =
      "every pair of nodes on every rail once, both ways, all at once; suspects again one at a time";
  static constexpr Ways ways = Ways::both;
  static constexpr double suspect_share = 0.93;  // the share that ClusterKit's documentation calls bad
  static std::vector<Axis> axes() { return joined(pairing_axes(all_rounds), message_axes({})); }
};

/// The victim: small writes to the receiver, one at a time, from the first host that does not send, else from
/// a sender.
Flow victim(int ranks, int senders, const Settings& settings) {
  Flow probe = flow_between(senders + 1 < ranks ? senders + 1 : 1, 0, settings);
  probe.message = {.operation = Operation::write, .transport = Transport::rc, .bytes = 8};
  probe.posting = {.qps = 1,
                   .tx_depth = 1,
                   .post_list = 1,
                   .cq_moderation = 1,
                   .inline_bytes = 0,
                   .completion = settings.posting.completion};
  probe.probe = true;
  return probe;
}

struct Incast : StreamCase {
  using Settings = NumberedPoint;  // senders
  static constexpr std::string_view name = "rdma.verbs.incast";
  static constexpr std::string_view measures =
      "many hosts to one: each sender's share, and the latency of a victim that sends little";
  static std::vector<Axis> axes() {
    return message_axes(
        {{"senders", "hosts that send to rank 0 (0: all others)", Domain::integers, {std::int64_t{0}}}});
  }
  static Settings settings(const Point& point, const Surroundings& around) {
    const std::int64_t asked = point.integer("senders");
    if (asked < 0) core::usage_error(fmt::format("senders={}: expected 0 or more", asked));
    static_cast<void>(incast(around.ranks, static_cast<int>(asked)));  // refuses more than there are
    return {StreamCase::settings(point, around), asked};
  }
  static Schedule schedule(const Settings& at) {
    Round round = round_of(incast(at.place.ranks, static_cast<int>(at.number)), at.traffic);
    round.push_back(victim(at.place.ranks, static_cast<int>(round.size()), at.traffic));
    return {{round}};
  }
};

struct RingShift : StreamCase {
  using Settings = NumberedPoint;  // shift
  static constexpr std::string_view name = "rdma.verbs.ring_shift";
  static constexpr std::string_view measures = "each host to the one `shift` places on, all at once";
  static std::vector<Axis> axes() {
    return message_axes({{"shift", "places", Domain::integers, {std::int64_t{1}}}});
  }
  static Settings settings(const Point& point, const Surroundings& around) {
    const std::int64_t shift = point.integer("shift");
    if (around.ranks > 1) static_cast<void>(ring_shift(around.ranks, shift));  // refuses a shift to oneself
    return {StreamCase::settings(point, around), shift};
  }
  static Schedule schedule(const Settings& at) {
    return {{round_of(ring_shift(at.place.ranks, at.number), at.traffic)}};
  }
};

struct Permutation : StreamCase {
  using Settings = NumberedPoint;  // seed
  static constexpr std::string_view name = "rdma.verbs.permutation";
  static constexpr std::string_view measures = "each host to another in a random permutation, all at once";
  static std::vector<Axis> axes() {
    return message_axes({{"seed", "of the permutation", Domain::integers, {std::int64_t{1}}}});
  }
  static Settings settings(const Point& point, const Surroundings& around) {
    return {StreamCase::settings(point, around), point.integer("seed")};
  }
  static Schedule schedule(const Settings& at) {
    return {{round_of(permutation(at.place.ranks, static_cast<std::uint64_t>(at.number)), at.traffic)}};
  }
};

struct Bisection : StreamCase {
  static constexpr std::string_view name = "rdma.verbs.bisection";
  static constexpr std::string_view measures =
      "each host of one half with its counterpart in the other, both ways, all at once";
  static std::vector<Axis> axes() { return message_axes({}); }
  static Schedule schedule(const VerbsPoint& at) {
    return {{round_of(bisection(at.place.ranks), at.traffic)}};
  }
};

std::string bytes_of(const ibv_gid& gid, bool ipv4) {
  const char* raw = reinterpret_cast<const char*>(gid.raw);
  return ipv4 ? std::string(raw + 12, 4) : std::string(raw, 16);
}

class PathEntropy : public StreamCase, public StreamTrial {
 public:
  using Settings = NumberedPoint;  // uplinks
  static constexpr std::string_view name = "rdma.verbs.path_entropy";
  static constexpr std::string_view measures =
      "one flow over many queue pairs: how their paths spread, predicted and measured";
  static std::vector<Axis> axes() {
    std::vector<Axis> axes =
        joined(pair_axes(), message_axes({{"uplinks",
                                           "equal uplinks that the switch spreads flows over",
                                           Domain::integers,
                                           {std::int64_t{16}}}}));
    for (Axis& axis : axes)
      if (axis.name == "qps")
        axis.values = {std::int64_t{1}, std::int64_t{4}, std::int64_t{16}, std::int64_t{32}};
    return axes;
  }
  static Settings settings(const Point& point, const Surroundings& around) {
    const std::int64_t uplinks = point.integer("uplinks");
    if (uplinks < 1) core::usage_error(fmt::format("uplinks={}: expected at least 1", uplinks));
    return {StreamCase::settings(point, around), uplinks};
  }
  static core::Work work(const Settings& at) { return work_of_pair(at, Ways::one); }
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

std::vector<Case> pattern_cases(const Surroundings& around) {
  using core::case_of;
  return {case_of<Paired<Pairs>>(around),       case_of<Streamed<Incast>>(around),
          case_of<Streamed<RingShift>>(around), case_of<Streamed<Permutation>>(around),
          case_of<Streamed<Bisection>>(around), case_of<PathEntropy>(around)};
}

}  // namespace assay::rdma
