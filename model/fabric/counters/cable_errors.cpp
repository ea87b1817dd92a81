// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "model/fabric/counters/cable_errors.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <tuple>

#include "harness/core/statistics/gamma_distribution.hpp"
#include "harness/core/statistics/poisson_limit.hpp"

namespace assay::model::fabric::counters {
namespace {

struct Width {
  std::string_view name;
  std::uint64_t end;
};
/// Counters of PortCounters stop at their end; a wider one (ibdiagnet) passes it.
constexpr std::array<Width, 4> ends = {{{"SymbolErrorCounter", 0xffff},
                                        {"LinkErrorRecoveryCounter", 0xff},
                                        {"LinkDownedCounter", 0xff},
                                        {"PortRcvErrors", 0xffff}}};

/// A difference counts no further, so that sums of several are numbers.
constexpr std::uint64_t most_difference = std::uint64_t{1} << 56U;

constexpr std::array<std::string_view, 3> other_errors = {"PortRcvErrors", "LocalLinkIntegrityErrors",
                                                          "ExcessiveBufferOverrunErrors"};

class CableReading {
 public:
  CableReading(const PortCounters& before, const PortCounters& after, const ErrorLimits& limits)
      : before_(before), after_(after), limits_(limits) {}

  CableErrors of(LinkId cable, std::array<std::pair<std::uint64_t, std::uint32_t>, 2> ports, double bits) {
    errors_ = {.cable = cable};
    errors_.bits = bits;
    for (const auto& port : ports) add_end(port);
    judge();
    return errors_;
  }

 private:
  void add_end(const std::pair<std::uint64_t, std::uint32_t>& port) {
    const auto first = before_.ports.find(port), second = after_.ports.find(port);
    if (second == after_.ports.end() || first == before_.ports.end()) {
      // ibqueryerrors lists a port once it is above a threshold: what it had before is not known.
      set_unknown(fmt::format("port {} of 0x{:016x} is not in {}", port.second, port.first,
                              second == after_.ports.end() ? "the second reading" : "the first reading"));
      if (second == after_.ports.end()) return;
    }
    static const Counters nothing;
    const Counters& old = first == before_.ports.end() ? nothing : first->second;
    const auto difference = [&](std::string_view name, bool is_wanted) {
      return of_counter(old, second->second, name, is_wanted && first != before_.ports.end());
    };
    errors_.symbol_errors += difference("SymbolErrorCounter", true);
    errors_.link_downs += difference("LinkDownedCounter", true);
    errors_.recoveries += difference("LinkErrorRecoveryCounter", false);
    for (const std::string_view name : other_errors) errors_.other_errors += difference(name, false);
    errors_.discards += difference("PortXmitDiscards", false);
    errors_.wait_per_s = std::max(errors_.wait_per_s,
                                  static_cast<double>(difference("PortXmitWait", false)) / limits_.seconds);
  }

  std::uint64_t of_counter(const Counters& old, const Counters& now, std::string_view name, bool is_wanted) {
    const auto first = old.find(name), second = now.find(name);
    const bool lists_bad = before_.bad_ports_alone && after_.bad_ports_alone;  // zeros are not printed
    if (!lists_bad && is_wanted && (first == old.end() || second == now.end()))
      set_unknown(fmt::format("a reading has no {}", name));
    const std::uint64_t from = first == old.end() ? 0 : first->second,
                        to = second == now.end() ? 0 : second->second;
    const auto width = std::ranges::find(ends, name, &Width::name);
    if (width != ends.end() && to == width->end)
      set_unknown(fmt::format("{} is full, at {}: clear it and read twice", name, to));
    if (to < from) {
      set_unknown(fmt::format("{} fell from {} to {}: it was cleared between the readings", name, from, to));
      return std::min(to, most_difference);
    }
    return std::min(to - from, most_difference);
  }

  void set_unknown(std::string why) {
    if (errors_.reason.empty()) errors_.reason = std::move(why);
  }

  void judge() {
    const double tail = (1 - limits_.confidence) / 2;
    const auto errors = static_cast<std::int64_t>(errors_.symbol_errors);
    errors_.upper = std::min(1.0, core::poisson_upper_limit(errors, 1 - tail) / errors_.bits);
    errors_.lower = errors == 0 ? 0 : core::gamma_quantile(static_cast<double>(errors), tail) / errors_.bits;
    const bool is_unknown = !errors_.reason.empty();
    if (errors_.link_downs > 0) {
      errors_.state = CableState::faulty;
      errors_.reason = fmt::format("went down {} times", errors_.link_downs);
    } else if (errors_.lower > limits_.bit_error_rate) {
      errors_.state = CableState::faulty;
      errors_.reason = fmt::format("{} symbol errors", errors_.symbol_errors);
    } else if (is_unknown) {
      errors_.state = CableState::unknown;
    } else {
      errors_.state = errors_.upper < limits_.bit_error_rate ? CableState::sound : CableState::undecided;
    }
  }

  const PortCounters &before_, &after_;
  const ErrorLimits& limits_;
  CableErrors errors_;
};

std::uint32_t port_number(const std::string& port) {
  return static_cast<std::uint32_t>(std::strtoul(port.c_str(), nullptr, 10));
}

/// "mlx5_0/1": the port behind the slash.
std::uint32_t adapter_port(const site::SiteEnd& end) {
  const std::string& full = end.full_port.empty() ? end.port : end.full_port;
  const std::size_t slash = full.rfind('/');
  return slash == std::string::npos ? 1 : port_number(full.substr(slash + 1));
}

}  // namespace

std::vector<CableErrors> cable_errors(const site::SiteFabric& site, const PortCounters& before,
                                      const PortCounters& after, const ErrorLimits& limits) {
  const Topology& topology = site.topology;
  CableReading reading(before, after, limits);
  std::vector<CableErrors> all;
  for (LinkId link = 0; link < topology.links() / 2; ++link) {
    const auto& ports = site.cable_ports[link];
    const NodeId lower = topology.from(link), upper = topology.to(link);
    const bool is_host = lower < topology.hosts();
    const std::pair<std::uint64_t, std::uint32_t> one =
        is_host ? std::pair(site.ports[lower].guid, adapter_port(site.ports[lower]))
                : std::pair(site.switch_guids[lower - topology.hosts()], port_number(ports.lower));
    const std::pair<std::uint64_t, std::uint32_t> other = {site.switch_guids[upper - topology.hosts()],
                                                           port_number(ports.upper)};
    const double bits =
        2 * limits.seconds * 1e9 * topology.capacity(link) / LinkSpeed{.gbit_per_s = 1}.goodput();
    all.push_back(reading.of(link, {one, other}, bits));
  }
  const auto rank = [](const CableErrors& one) {
    constexpr std::array<int, 4> order = {3, 0, 1, 2};  // sound, faulty, undecided, unknown
    return std::tuple(order[static_cast<std::size_t>(one.state)], -static_cast<std::int64_t>(one.link_downs),
                      -static_cast<std::int64_t>(one.symbol_errors + one.other_errors + one.recoveries));
  };
  std::ranges::stable_sort(all, {}, rank);
  return all;
}

}  // namespace assay::model::fabric::counters
