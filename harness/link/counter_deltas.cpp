// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "harness/link/counter_deltas.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace assay::link {

namespace {

void tell_backwards(CounterDelta& delta) {
  const std::uint64_t most = delta.fact != nullptr ? full(*delta.fact) : ~std::uint64_t{0};
  const bool can_wrap = delta.fact != nullptr && delta.fact->overflow == Overflow::wraps;
  if (can_wrap && delta.before <= most && delta.before - delta.after > most / 2)
    delta.moved = (most - delta.before) + delta.after + 1;
  else
    delta.cannot_tell = fmt::format("was reset in between ({} to {})", delta.before, delta.after);
}

void tell(CounterDelta& delta) {
  const bool saturates = delta.fact != nullptr && delta.fact->overflow == Overflow::saturates;
  if (delta.after < delta.before) return tell_backwards(delta);
  if (saturates && delta.before >= full(*delta.fact)) {
    delta.cannot_tell =
        fmt::format("was full from the start ({}): clear it (perfquery -R) to see it move", delta.before);
    return;
  }
  delta.moved = delta.after - delta.before;
  delta.at_least = saturates && delta.after >= full(*delta.fact);
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
    delta.cannot_tell = "could not be read again";
    return delta;
  }
  delta.after = after->values.at(name);
  tell(delta);
  return delta;
}

CounterDelta tells_nothing(const PortCounters& port) {
  CounterDelta delta;
  delta.device = port.device;
  delta.port = port.port;
  delta.cannot_tell = "tells no counter";
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
    if (port.values.empty()) deltas.push_back(tells_nothing(port));
    for (const auto& [name, value] : port.values)
      deltas.push_back(delta_of(port, name, value, same == after.end() ? nullptr : &*same));
  }
  return deltas;
}

std::string describe(const CounterDelta& delta) {
  const std::string port = delta.port == 1 ? "" : "/" + std::to_string(delta.port);
  const std::string whose = delta.counter.netdev.empty() ? delta.device + port : delta.counter.netdev;
  const std::string name = whose + (delta.counter.name.empty() ? "" : " " + delta.counter.name);
  if (!delta.moved) return name + " " + delta.cannot_tell;
  return fmt::format("{} +{}{}", name, *delta.moved, delta.at_least ? " at least" : "");
}

}  // namespace assay::link
