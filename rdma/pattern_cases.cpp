// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Cases over all ranks at once: every pair, incast, ring shift, permutation, bisection; and one flow over
// many queue pairs, for the paths they take.
#include <fmt/format.h>

#include <string_view>
#include <utility>

#include "harness/core/error.hpp"
#include "rdma/traffic/pattern.hpp"
#include "rdma/trials/path_trial.hpp"
#include "rdma/verbs_case.hpp"

namespace assay::rdma {
namespace {

using core::Axis;
using core::Case;
using core::Domain;
using core::Point;
using core::Value;

constexpr double suspect_share = 0.93;  // of the median: the share that ClusterKit's documentation calls bad

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
      "every pair of hosts once, both ways, all hosts busy; suspects again one at a time";
  static std::vector<Axis> axes() { return message_axes({}); }
  static Schedule schedule(const VerbsPoint& at) {
    Schedule schedule{.rounds = {}, .suspect_share = suspect_share};
    for (std::vector<Pair> pairs_of_round : tournament(at.place.ranks)) {
      const std::size_t forth = pairs_of_round.size();
      for (std::size_t i = 0; i < forth; ++i)
        pairs_of_round.emplace_back(pairs_of_round[i].second, pairs_of_round[i].first);
      schedule.rounds.push_back(round_of(pairs_of_round, at.traffic));
    }
    return schedule;
  }
};

/// The victim: small writes to the receiver, one at a time, from the first host that is no sender, else from
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
    return {StreamCase::settings(point, around), point.integer("shift")};
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

class PathEntropy : public StreamCase, public PathTrial {
 public:
  using Settings = NumberedPoint;  // uplinks
  static constexpr std::string_view name = "rdma.verbs.path_entropy";
  static constexpr std::string_view measures =
      "one flow over many queue pairs: how their paths spread, predicted and measured";
  static std::vector<Axis> axes() {
    std::vector<Axis> axes = message_axes({{"uplinks",
                                            "equal uplinks that the switch spreads flows over",
                                            Domain::integers,
                                            {std::int64_t{16}}}});
    for (Axis& axis : axes)
      if (axis.name == "qps")
        axis.values = {std::int64_t{1}, std::int64_t{4}, std::int64_t{16}, std::int64_t{32}};
    return axes;
  }
  static Settings settings(const Point& point, const Surroundings& around) {
    return {StreamCase::settings(point, around), point.integer("uplinks")};
  }
  static core::Work work(const Settings& at) { return work_of(at, one_way(at.traffic)); }
  PathEntropy(const Settings& at, TeamSite& site)
      : PathTrial(site.machine, site.team, at.traffic, static_cast<int>(at.number)) {}
};

}  // namespace

std::vector<Case> pattern_cases(const Surroundings& around) {
  using core::case_of;
  return {case_of<Streamed<Pairs>>(around),     case_of<Streamed<Incast>>(around),
          case_of<Streamed<RingShift>>(around), case_of<Streamed<Permutation>>(around),
          case_of<Streamed<Bisection>>(around), case_of<PathEntropy>(around)};
}

}  // namespace assay::rdma
