// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "harness/link/counter_deltas.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace assay::link {

namespace {

using Outcome = core::CounterReport::Outcome;

/// `is_full`: it may have moved further.
void set_moved(CounterDelta& delta, std::uint64_t moved, bool is_full) {
  delta.moved = moved;
  delta.outcome = is_full ? Outcome::moved_at_least : Outcome::moved;
}

void set_blind(CounterDelta& delta, Outcome outcome, std::string why) {
  delta.outcome = outcome;
  delta.why_unknown = std::move(why);
}

void judge_backwards(CounterDelta& delta) {
  const std::uint64_t most = delta.fact != nullptr ? full(*delta.fact) : ~std::uint64_t{0};
  const bool can_wrap = delta.fact != nullptr && delta.fact->overflow == Overflow::wraps;
  if (can_wrap && delta.before <= most && delta.before - delta.after > most / 2)
    set_moved(delta, (most - delta.before) + delta.after + 1, false);
  else
    set_blind(delta, Outcome::was_reset,
              fmt::format("was reset in between ({} to {})", delta.before, delta.after));
}

void judge(CounterDelta& delta) {
  const bool saturates = delta.fact != nullptr && delta.fact->overflow == Overflow::saturates;
  if (delta.after < delta.before) return judge_backwards(delta);
  if (saturates && delta.before >= full(*delta.fact)) {
    return set_blind(
        delta, Outcome::was_full,
        fmt::format("was full from the start ({}): clear it (perfquery -R) to see it move", delta.before));
  }
  set_moved(delta, delta.after - delta.before, saturates && delta.after >= full(*delta.fact));
}

CounterDelta delta_of(const PortCounters& port, const CounterName& name, std::uint64_t before,
                      const PortCounters* after) {
  CounterDelta delta;
  delta.device = port.device;
  delta.port = port.port;
  delta.counter = name;
  delta.fact = find_counter(name.source, name.name);
  delta.before = delta.after = before;
  if (after == nullptr || !after->values.contains(name)) {
    delta.why_unknown = "could not be read again";
    return delta;
  }
  delta.after = after->values.at(name);
  judge(delta);
  return delta;
}

CounterDelta without_counters(const PortCounters& port) {
  CounterDelta delta;
  delta.device = port.device;
  delta.port = port.port;
  delta.why_unknown = "has no counter";
  return delta;
}

}  // namespace

std::vector<CounterDelta> counter_deltas(const std::vector<PortCounters>& before,
                                         const std::vector<PortCounters>& after) {
  std::vector<CounterDelta> deltas;
  for (const PortCounters& port : before) {
    const auto same = std::find_if(after.begin(), after.end(), [&](const PortCounters& other) {
      return other.device == port.device && other.port == port.port;
    });
    if (port.values.empty()) deltas.push_back(without_counters(port));
    for (const auto& [name, value] : port.values)
      deltas.push_back(delta_of(port, name, value, same == after.end() ? nullptr : &*same));
  }
  return deltas;
}

core::CounterReport report_of(const CounterDelta& delta, core::LinkClass speaks_for) {
  const std::string port = delta.port == 1 ? "" : "/" + std::to_string(delta.port);
  const std::string owner = delta.counter.netdev.empty() ? delta.device + port : delta.counter.netdev;
  const std::string_view meaning = delta.fact == nullptr ? std::string_view() : delta.fact->meaning;
  return {.counter = owner + (delta.counter.name.empty() ? "" : " " + delta.counter.name),
          .outcome = delta.outcome,
          .moved = delta.moved.value_or(0),
          .speaks_for = speaks_for,
          .about = delta.moved ? std::string(meaning) : delta.why_unknown};
}

std::string describe(const CounterDelta& delta) {
  return core::describe(report_of(delta, core::LinkClass::clean));
}

}  // namespace assay::link
