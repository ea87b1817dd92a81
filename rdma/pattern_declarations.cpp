// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "rdma/pattern_declarations.hpp"

#include <fmt/format.h>

#include <utility>

#include "harness/core/error.hpp"
#include "rdma/traffic/wiring/pattern.hpp"

namespace assay::rdma {
namespace {

using core::Axis;
using core::Domain;
using core::Point;

std::vector<Axis> message_axes(std::vector<Axis> first, std::int64_t bytes = 1 << 20) {
  first.push_back(operation_axis({"write"}));
  first.push_back(bytes_axis({bytes}));
  return with_connection(joined(std::move(first), posting_axes()));
}

Round round_of(const std::vector<Pair>& pairs, const Settings& settings) {
  Round round;
  for (const auto& [from, to] : pairs) round.push_back(flow_between(from, to, settings));
  return round;
}

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

}  // namespace

std::vector<Axis> DeclaredAllPairs::axes() { return joined(pairing_axes(all_rounds), message_axes({})); }

std::vector<Axis> DeclaredIncast::axes() {
  return message_axes(
      {{"senders", "hosts that send to rank 0 (0: all others)", Domain::integers, {std::int64_t{0}}}});
}

NumberedPoint DeclaredIncast::settings(const Point& point, const Surroundings& around) {
  const std::int64_t asked = point.integer("senders");
  if (asked < 0) core::usage_error(fmt::format("senders={}: expected 0 or more", asked));
  static_cast<void>(incast(around.ranks, static_cast<int>(asked)));  // refuses more than there are
  return {DeclaredCase::settings(point, around), asked};
}

Schedule DeclaredIncast::schedule(const NumberedPoint& at) {
  Round round = round_of(incast(at.place.ranks, static_cast<int>(at.number)), at.traffic);
  round.push_back(victim(at.place.ranks, static_cast<int>(round.size()), at.traffic));
  return {{round}};
}

std::vector<Axis> DeclaredRingShift::axes() {
  return message_axes({{"shift", "places", Domain::integers, {std::int64_t{1}}}});
}

NumberedPoint DeclaredRingShift::settings(const Point& point, const Surroundings& around) {
  const std::int64_t shift = point.integer("shift");
  if (around.ranks > 1) static_cast<void>(ring_shift(around.ranks, shift));  // refuses a shift to oneself
  return {DeclaredCase::settings(point, around), shift};
}

Schedule DeclaredRingShift::schedule(const NumberedPoint& at) {
  return {{round_of(ring_shift(at.place.ranks, at.number), at.traffic)}};
}

std::vector<Axis> DeclaredPermutation::axes() {
  return message_axes({{"seed", "of the permutation", Domain::integers, {std::int64_t{1}}}});
}

NumberedPoint DeclaredPermutation::settings(const Point& point, const Surroundings& around) {
  return {DeclaredCase::settings(point, around), point.integer("seed")};
}

Schedule DeclaredPermutation::schedule(const NumberedPoint& at) {
  return {{round_of(permutation(at.place.ranks, static_cast<std::uint64_t>(at.number)), at.traffic)}};
}

std::vector<Axis> DeclaredBisection::axes() { return message_axes({}); }

Schedule DeclaredBisection::schedule(const VerbsPoint& at) {
  return {{round_of(bisection(at.place.ranks), at.traffic)}};
}

std::vector<Axis> DeclaredPathEntropy::axes() {
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

NumberedPoint DeclaredPathEntropy::settings(const Point& point, const Surroundings& around) {
  const std::int64_t uplinks = point.integer("uplinks");
  if (uplinks < 1) core::usage_error(fmt::format("uplinks={}: expected at least 1", uplinks));
  return {DeclaredCase::settings(point, around), uplinks};
}

std::vector<Axis> DeclaredPorts::axes() {
  return message_axes({{"ports", "of each node", Domain::integers, {std::int64_t{2}}}});
}

NumberedPoint DeclaredPorts::settings(const Point& point, const Surroundings& around) {
  const std::int64_t ports = point.integer("ports");
  if (ports < 2 || ports > 64) core::usage_error(fmt::format("ports={}: expected 2 to 64", ports));
  return {DeclaredCase::settings(point, around), ports};
}

core::Work DeclaredPorts::work(const NumberedPoint& at) {
  core::Work work = work_of_pair(at, Ways::one);
  work.bytes *= static_cast<double>(at.number);
  work.messages *= static_cast<double>(at.number);
  work.bytes_counted = "payload, once, of all ports at the pace of the slowest";
  return work;
}

std::vector<core::Case> pattern_declarations_cases(const Surroundings& around) {
  using core::declared_case;
  return {declared_case<DeclaredAllPairs>(around),  declared_case<DeclaredIncast>(around),
          declared_case<DeclaredRingShift>(around), declared_case<DeclaredPermutation>(around),
          declared_case<DeclaredBisection>(around), declared_case<DeclaredPathEntropy>(around),
          declared_case<DeclaredPorts>(around)};
}

}  // namespace assay::rdma
