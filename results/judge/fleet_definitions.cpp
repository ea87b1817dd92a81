// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "results/judge/fleet_definitions.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>

namespace assay::results {
namespace {

/// In the order of PointEvidence::definition.
constexpr std::array definition_words{"bytes of an iteration",
                                      "FLOPs of an iteration",
                                      "how bytes are counted",
                                      "quantile of the time",
                                      "ranks",
                                      "nodes",
                                      "groups"};

std::string part_of(const std::string& definition, std::size_t part) {
  std::size_t begin = 0;
  while (part-- > 0) begin = definition.find('|', begin) + 1;
  return definition.substr(begin, definition.find('|', begin) - begin);
}

/// "quantile of the time '0.99', on most hosts '0.5'"
std::string first_difference(const std::string& one, const std::string& usual) {
  for (std::size_t part = 0; part < definition_words.size(); ++part)
    if (part_of(one, part) != part_of(usual, part))
      return fmt::format("{} '{}', on most hosts '{}'", definition_words[part], part_of(one, part),
                         part_of(usual, part));
  return "";
}

}  // namespace

std::uint32_t FleetDefinitions::number_of(const std::string& host) {
  if (!hosts_.empty() && hosts_.back() == host) return static_cast<std::uint32_t>(hosts_.size() - 1);
  const auto [place, fresh] = numbers_.try_emplace(host, static_cast<std::uint32_t>(hosts_.size()));
  if (fresh) hosts_.push_back(host);
  return place->second;
}

void FleetDefinitions::take(const std::string& host, const std::string& metric,
                            const std::string& definition) {
  const std::uint32_t number = number_of(host);
  Hosts& hosts = metrics_[metric][definition];
  if (hosts.empty() || hosts.back() != number) hosts.push_back(number);
}

void FleetDefinitions::tell_differences(const std::string& metric, const Meanings& meanings,
                                        std::vector<std::string>& lines) const {
  std::map<std::string, Hosts> once;
  for (auto [definition, hosts] : meanings) {
    std::ranges::sort(hosts);
    hosts.erase(std::unique(hosts.begin(), hosts.end()), hosts.end());
    once.emplace(definition, std::move(hosts));
  }
  const auto usual = std::ranges::max_element(once, {}, [](const auto& one) { return one.second.size(); });
  for (const auto& [definition, hosts] : once)
    if (definition != usual->first)
      for (const std::uint32_t host : hosts)
        lines.push_back(fmt::format("host {}: {} does not mean the same there: {}", hosts_[host], metric,
                                    first_difference(definition, usual->first)));
}

std::vector<std::string> FleetDefinitions::differences() const {
  std::vector<std::string> lines;
  for (const auto& [metric, meanings] : metrics_)
    if (meanings.size() > 1) tell_differences(metric, meanings, lines);
  std::ranges::sort(lines);
  return lines;
}

void MeasuredGpus::count(const std::string& host, std::size_t gpus) {
  std::size_t& counted = counted_[host];
  counted = std::max(counted, gpus);
}

std::vector<std::string> MeasuredGpus::unmeasured() const {
  std::vector<std::string> lines;
  // That others have GPUs and a host has none at all, the judge of fleets sees.
  for (const auto& [host, measured] : measured_) {
    const auto found = counted_.find(host);
    const std::size_t counted = found == counted_.end() ? 0 : found->second;
    std::vector<std::size_t> absent;
    for (std::size_t gpu = 0; gpu < counted; ++gpu)
      if (!measured.contains(std::to_string(gpu))) absent.push_back(gpu);
    if (!absent.empty())
      lines.push_back(fmt::format("host {}: it has {} GPUs, and of {} nothing was measured: {}", host,
                                  counted, absent.size(), fmt::join(absent, " ")));
  }
  return lines;
}

}  // namespace assay::results
