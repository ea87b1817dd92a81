// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "results/judge/population/population_values.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <set>
#include <utility>

namespace assay::results {
namespace {

using Means = std::map<std::string, double>;

const std::string link_separator = " - ";  // of link_name()

class MeansByName {
 public:
  void add(const std::string& name, double value) {
    auto& [sum, count] = sums_[name];
    sum += value;
    ++count;
  }
  Means means() const {
    Means means;
    for (const auto& [name, sum] : sums_) means[name] = sum.first / sum.second;
    return means;
  }

 private:
  std::map<std::string, std::pair<double, double>> sums_;
};

std::vector<double> run_logs(const MeasuredFleet& measured, std::size_t metric, std::size_t unit) {
  std::vector<double> logs;
  measured.each_round([&](const Fleet& round) {
    if (const double seconds = round.at(metric, unit); !std::isnan(seconds))
      logs.push_back(std::log(seconds));
  });
  return logs;
}

std::string place_at(const FleetPlaces& places, std::size_t level, const std::string& host) {
  const std::string place = places.of(host, "")[level];
  return place.empty() ? "host " + host : "place " + place;
}

Means at_level(const Means& hosts, const FleetPlaces& places, std::size_t level) {
  MeansByName means;
  for (const auto& [host, value] : hosts) means.add(place_at(places, level, host), value);
  return means.means();
}

/// "h2" of "h2/rail3", as LinkEnd::name() writes it: rails of a host are not independent.
std::string host_of_end(const std::string& end) { return end.substr(0, end.find('/')); }

/// Links that share a host, or a place, are not independent: in order of their names, each whose two places
/// no link before has. Links between the same two places are one value.
Means disjoint_links(const Means& links, const std::function<std::string(const std::string&)>& place_of) {
  MeansByName between;
  for (const auto& [link, value] : links) {
    const std::size_t middle = link.find(link_separator);
    const std::string one = place_of(host_of_end(link.substr(0, middle)));
    const std::string other = place_of(host_of_end(link.substr(middle + link_separator.size())));
    between.add(std::min(one, other) + link_separator + std::max(one, other), value);
  }
  Means chosen;
  std::set<std::string> taken;
  for (const auto& [pair, value] : between.means()) {
    const std::size_t middle = pair.find(link_separator);
    const std::string one = pair.substr(0, middle), other = pair.substr(middle + link_separator.size());
    if (taken.contains(one) || taken.contains(other)) continue;
    taken.insert({one, other});
    chosen.emplace(pair, value);
  }
  return chosen;
}

std::vector<double> values_in(const Means& means) {
  std::vector<double> values;
  for (const auto& [name, value] : means) values.push_back(value);
  return values;
}

PopulationTail tail_between(const std::string& level, const Means& a, const Means& b) {
  PopulationTail tail{.level = level, .a = values_in(a), .b = {}, .names_of_b = {}, .shift = {}};
  std::ranges::sort(tail.a);
  std::vector<std::pair<double, std::string>> of_b;
  for (const auto& [name, value] : b) of_b.emplace_back(value, name);
  std::ranges::sort(of_b);
  for (auto& [value, name] : of_b) tail.b.push_back(value), tail.names_of_b.push_back(std::move(name));
  tail.shift = core::quantile_shift(tail.a, tail.b, core::bounded_quantile(tail.b.size(), slow_quantile));
  return tail;
}

PopulationShift shift_between(const std::string& level, const Means& a, const Means& b) {
  PopulationShift shift{level, values_in(a), values_in(b), {}};
  shift.shift = core::studentised_shift(shift.a, shift.b);
  if (shift.shift) shift.tail = tail_between(level, a, b);
  return shift;
}

double width_of(const PopulationShift& one) { return one.shift->upper - one.shift->lower; }

}  // namespace

PopulationValues population_values(const MeasuredFleet& measured, std::size_t metric) {
  const Fleet& fleet = measured.first;
  const bool has_host = !fleet.levels.empty() && fleet.levels.front() == "host";
  PopulationValues values;
  MeansByName means;
  for (std::size_t unit = 0; unit < fleet.units.size(); ++unit) {
    const std::vector<double> logs = run_logs(measured, metric, unit);
    if (logs.empty()) continue;
    double mean = 0;
    for (const double log : logs) mean += log / static_cast<double>(logs.size());
    for (const double log : logs) values.squares += (log - mean) * (log - mean);
    means.add(has_host ? fleet.units[unit].places.front() : fleet.units[unit].name, mean);
    ++values.units;
    values.runs += std::ssize(logs);
  }
  values.means = means.means();
  return values;
}

Means means_of_groups(const Means& means, const std::map<std::string, std::string>& group_of) {
  MeansByName groups;
  for (const auto& [name, value] : means) {
    const std::string host = name.substr(0, name.find(link_separator));
    const auto group = group_of.find(host);
    groups.add(group == group_of.end() ? host : group->second, value);
  }
  return groups.means();
}

double PopulationShift::deviation() const {
  const auto m = static_cast<double>(core::counted_shift_values(a.size(), b.size()));
  const auto n = static_cast<double>(core::counted_shift_values(b.size(), a.size()));
  return shift ? shift->error / std::sqrt(1 / m + 1 / n) : 0;
}

PopulationShift population_shift(const Means& a, const Means& b, const std::string& base,
                                 const PopulationPlaces& places) {
  const bool links = base == "link";
  const auto as_it_is = [](const std::string& host) { return host; };
  PopulationShift widest = links
                               ? shift_between(base, disjoint_links(a, as_it_is), disjoint_links(b, as_it_is))
                               : shift_between(base, a, b);
  for (std::size_t level = 0; widest.shift && base != "team" && level < places.a.levels.size(); ++level) {
    const auto at = [&](const Means& means, const FleetPlaces& of) {
      return links ? disjoint_links(means, [&](const auto& host) { return place_at(of, level, host); })
                   : at_level(means, of, level);
    };
    const Means of_a = at(a, places.a), of_b = at(b, places.b);
    if (of_a.size() == 1 && of_b.size() == 1) continue;
    PopulationShift shift = shift_between(places.a.levels[level] + (links ? " link" : ""), of_a, of_b);
    if (!shift.shift) return shift;
    if (shift.tail->shift.upper < widest.tail->shift.upper) shift.tail = widest.tail;
    widest.tail = shift.tail;
    if (width_of(shift) > width_of(widest)) widest = std::move(shift);
  }
  return widest;
}

}  // namespace assay::results
