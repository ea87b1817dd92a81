// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <limits>
#include <set>
#include <vector>

#include "harness/core/statistics/order_statistic.hpp"
#include "results/judge/fleet/fleet_judgement.hpp"
#include "results/judge/series/fleet_store.hpp"

namespace assay::results {
namespace {

const std::string between_ends = " - ";
constexpr double no_time = std::numeric_limits<double>::quiet_NaN();
constexpr int turns = 60;
constexpr std::size_t least_peers = 2;

/// A link as the numbers of its ends.
struct Span {
  std::size_t link = 0, one = 0, other = 0;
};

/// Each host's contribution to the logarithms of its links' times, by median polish (Tukey 1977).
class Polish {
 public:
  Polish(const std::vector<Span>& spans, std::size_t hosts) : of_host_(hosts), added_(hosts, 0.0) {
    for (const Span& span : spans) {
      of_host_[span.one].push_back({span.link, span.other});
      of_host_[span.other].push_back({span.link, span.one});
    }
  }

  /// Times of each host as an end, NaN with fewer than two links measured.
  std::vector<double> times_of(const std::vector<double>& link_times) {
    std::vector<double> values;
    for (const double time : link_times)
      if (!std::isnan(time)) values.push_back(std::log(time));
    const double middle = core::median_in_place(values);
    std::ranges::fill(added_, 0.0);
    for (int turn = 0; turn < turns; ++turn)
      for (std::size_t host = 0; host < of_host_.size(); ++host) update(host, link_times, middle);
    std::vector<double> times;
    for (const double added : added_) times.push_back(std::exp(middle + added));
    return times;
  }

 private:
  struct Peer {
    std::size_t link, host;
  };

  void update(std::size_t host, const std::vector<double>& link_times, double middle) {
    rests_.clear();
    for (const Peer& peer : of_host_[host])
      if (!std::isnan(link_times[peer.link]))
        rests_.push_back(std::log(link_times[peer.link]) - middle -
                         (std::isnan(added_[peer.host]) ? 0 : added_[peer.host]));
    added_[host] = rests_.size() < least_peers ? no_time : core::median_in_place(rests_);
  }

  std::vector<std::vector<Peer>> of_host_;
  std::vector<double> added_, rests_;
};

Fleet hosts_with_peers(const MeasuredFleet& links, const LinkEnds& ends, const FleetPlaces& places) {
  std::map<LinkEnd, std::set<LinkEnd>> peers;
  for (const FleetUnit& link : links.first.units) {
    const auto& [one, other] = ends.at(link.name);
    peers[one].insert(other);
    peers[other].insert(one);
  }
  const bool any_rail = std::ranges::any_of(peers, [](const auto& end) { return !end.first.rail.empty(); });
  Fleet hosts;
  hosts.unit_level = any_rail ? "port" : "host";
  hosts.levels = places.levels;
  // A file of places may say itself what a rail is.
  const bool own_rails = any_rail && std::ranges::find(places.levels, "rail") == places.levels.end();
  if (own_rails) hosts.levels.insert(hosts.levels.begin(), "rail");
  if (any_rail) hosts.levels.insert(hosts.levels.begin(), "host");
  for (FleetMetric metric : links.first.metrics) {
    metric.name += as_an_end;
    hosts.metrics.push_back(std::move(metric));
  }
  for (const auto& [end, of_end] : peers) {
    if (of_end.size() < least_peers) continue;
    std::vector<std::string> at = places.of(end.host, "");
    if (own_rails) at.insert(at.begin(), end.rail);
    if (any_rail) at.insert(at.begin(), end.host);
    hosts.units.push_back({end.name(), "end of a link", std::move(at)});
  }
  return hosts;
}

std::vector<Span> spans_of(const MeasuredFleet& links, const LinkEnds& ends, const Fleet& hosts) {
  std::map<std::string, std::size_t> numbers;
  for (std::size_t at = 0; at < hosts.units.size(); ++at) numbers[hosts.units[at].name] = at;
  std::vector<Span> spans;
  for (std::size_t link = 0; link < links.first.units.size(); ++link) {
    const auto& [one, other] = ends.at(links.first.units[link].name);
    // A link to a host with no other peer shows both at once.
    if (numbers.contains(one.name()) && numbers.contains(other.name()))
      spans.push_back({link, numbers[one.name()], numbers[other.name()]});
  }
  return spans;
}

Fleet polished(const Fleet& links, const Fleet& hosts, Polish& polish) {
  Fleet round = hosts;
  round.values.clear();
  const std::size_t units = links.units.size();
  for (std::size_t metric = 0; metric < links.metrics.size(); ++metric) {
    const auto begin = links.values.begin() + static_cast<std::ptrdiff_t>(metric * units);
    const auto times =
        polish.times_of(std::vector<double>(begin, begin + static_cast<std::ptrdiff_t>(units)));
    round.values.insert(round.values.end(), times.begin(), times.end());
  }
  return round;
}

}  // namespace

std::string link_name(const LinkEnd& one, const LinkEnd& other) {
  return std::min(one, other).name() + between_ends + std::max(one, other).name();
}

std::optional<std::array<std::string, 2>> ends_in(const std::string& place) {
  const auto middle = place.find(between_ends);
  if (middle == std::string::npos) return std::nullopt;
  return {{place.substr(0, middle), place.substr(middle + between_ends.size())}};
}

MeasuredFleet ends_of(const MeasuredFleet& links, const LinkEnds& ends, const FleetPlaces& places) {
  const Fleet hosts = hosts_with_peers(links, ends, places);
  MeasuredFleet measured{.first = {}, .origin = links.origin, .of_link_ends = true};
  if (hosts.units.size() < least_equals) return measured;
  Polish polish(spans_of(links, ends, hosts), hosts.units.size());
  measured.first = polished(links.first, hosts, polish);
  for (const Fleet& round : links.again) measured.again.push_back(polished(round, hosts, polish));
  return measured;
}

}  // namespace assay::results
