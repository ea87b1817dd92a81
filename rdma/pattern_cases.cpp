// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Cases over all ranks at once: every pair, incast, ring shift, permutation, bisection; and one flow over
// many queue pairs, for the paths they take.
#include <fmt/format.h>

#include "harness/core/error.hpp"
#include "rdma/case_maker.hpp"
#include "rdma/traffic/pattern.hpp"
#include "rdma/trials/path_trial.hpp"

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
  for (Axis& axis : posting_axes()) first.push_back(std::move(axis));
  return first;
}

Round round_of(const std::vector<Pair>& pairs, const Settings& settings) {
  Round round;
  for (const auto& [from, to] : pairs) round.push_back(flow_between(from, to, settings));
  return round;
}

Case pairs(const CaseMaker& maker) {
  return maker.stream("pairs",
                      "every pair of hosts once, both ways, all hosts busy; suspects again one at a time",
                      message_axes({}), [](int ranks, const Point&, const Settings& settings) {
                        Schedule schedule{.rounds = {}, .suspect_share = suspect_share};
                        for (std::vector<Pair> pairs_of_round : tournament(ranks)) {
                          const std::size_t forth = pairs_of_round.size();
                          for (std::size_t i = 0; i < forth; ++i)
                            pairs_of_round.emplace_back(pairs_of_round[i].second, pairs_of_round[i].first);
                          schedule.rounds.push_back(round_of(pairs_of_round, settings));
                        }
                        return schedule;
                      });
}

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

Case many_to_one(const CaseMaker& maker) {
  return maker.stream(
      "incast", "many hosts to one: each sender's share, and the latency of a victim that sends little",
      message_axes(
          {{"senders", "hosts that send to rank 0 (0: all others)", Domain::integers, {std::int64_t{0}}}}),
      [](int ranks, const Point& point, const Settings& settings) {
        const std::int64_t asked = point.integer("senders");
        if (asked < 0) core::usage_error(fmt::format("senders={}: expected 0 or more", asked));
        Round round = round_of(incast(ranks, static_cast<int>(asked)), settings);
        round.push_back(victim(ranks, static_cast<int>(round.size()), settings));
        return Schedule{{round}};
      });
}

Case ring(const CaseMaker& maker) {
  return maker.stream("ring_shift", "each host to the one `shift` places on, all at once",
                      message_axes({{"shift", "places", Domain::integers, {std::int64_t{1}}}}),
                      [](int ranks, const Point& point, const Settings& settings) {
                        return Schedule{{round_of(ring_shift(ranks, point.integer("shift")), settings)}};
                      });
}

Case permuted(const CaseMaker& maker) {
  return maker.stream(
      "permutation", "each host to another in a random permutation, all at once",
      message_axes({{"seed", "of the permutation", Domain::integers, {std::int64_t{1}}}}),
      [](int ranks, const Point& point, const Settings& settings) {
        return Schedule{
            {round_of(permutation(ranks, static_cast<std::uint64_t>(point.integer("seed"))), settings)}};
      });
}

Case halves(const CaseMaker& maker) {
  return maker.stream("bisection",
                      "each host of one half with its counterpart in the other, both ways, all at once",
                      message_axes({}), [](int ranks, const Point&, const Settings& settings) {
                        return Schedule{{round_of(bisection(ranks), settings)}};
                      });
}

Case path_entropy(const CaseMaker& maker) {
  const std::vector<Value> counts{std::int64_t{1}, std::int64_t{4}, std::int64_t{16}, std::int64_t{32}};
  std::vector<Axis> axes = message_axes({{"uplinks",
                                          "equal uplinks that the switch spreads flows over",
                                          Domain::integers,
                                          {std::int64_t{16}}}});
  for (Axis& axis : axes)
    if (axis.name == "qps") axis.values = counts;
  Case made = maker.stream(
      "path_entropy", "one flow over many queue pairs: how their paths spread, predicted and measured", axes,
      [](int, const Point&, const Settings& settings) { return Schedule{{{flow_between(0, 1, settings)}}}; });
  made.prepare = [maker](const Point& point) {
    return std::make_unique<PathTrial>(maker.machine, *maker.team, settings_of(point),
                                       static_cast<int>(point.integer("uplinks")));
  };
  return made;
}

}  // namespace

std::vector<Case> pattern_cases(const CaseMaker& maker) {
  return {pairs(maker), many_to_one(maker), ring(maker), permuted(maker), halves(maker), path_entropy(maker)};
}

}  // namespace assay::rdma
