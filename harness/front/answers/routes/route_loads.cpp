// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <compare>

#include "harness/core/error.hpp"
#include "harness/front/answers/routes/judged_routes.hpp"

namespace assay::answers {
namespace {

namespace fabric = model::fabric;
namespace routes = model::fabric::routes;

struct LinkEnds {
  std::uint64_t guid = 0;
  std::uint32_t port = 0;
  std::uint64_t peer = 0;
  std::uint32_t peer_port = 0;
  friend auto operator<=>(const LinkEnds&, const LinkEnds&) = default;
};

/// Ports at both ends of each link between switches.
std::vector<LinkEnds> ends_of_links(const JudgedRoutes& all) {
  const fabric::Topology& topology = all.topology;
  std::vector<LinkEnds> ends(topology.links());
  const auto guid = [&](fabric::NodeId node) { return all.file.subnet.switches[node - topology.hosts()]; };
  all.file.routing.tables->each_port([&](fabric::NodeId at, std::uint8_t port, fabric::LinkId link) {
    if (!topology.between_switches(link)) return;
    ends[link].guid = guid(at);
    ends[link].port = port;
    ends[topology.reverse(link)].peer = guid(at);
    ends[topology.reverse(link)].peer_port = port;
  });
  return ends;
}

routes::PatternPaths paths_of(const JudgedRoutes& all, const std::string& pattern) {
  if (pattern == "ring") return all.judged.ring;
  if (pattern == "all_to_all") return all.judged.all_to_all;
  std::size_t by = 0;
  const std::string_view digits = std::string_view(pattern).substr(std::min<std::size_t>(5, pattern.size()));
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), by);
  if (!pattern.starts_with("shift") || error != std::errc() || end != digits.data() + digits.size() ||
      by == 0)
    core::usage_error(
        fmt::format("--pattern {}: expected ring, all_to_all, or shift1, shift2 and so on", pattern));
  return routes::paths_of(all.topology, *all.file.routing.tables,
                          routes::shift_pairs(routes::planes_of(all.topology), by));
}

}  // namespace

std::string route_loads(const JudgedRoutes& all) {
  std::string csv = "pattern,switch,port,peer,peer_port,messages\n";
  const std::vector<LinkEnds> ends = ends_of_links(all);
  for (const std::string& pattern : all.question.patterns) {
    const routes::PatternPaths paths = paths_of(all, pattern);
    std::vector<std::pair<LinkEnds, std::uint64_t>> rows;
    for (fabric::LinkId link = 0; link < all.topology.links(); ++link)
      if (paths.of_links[link] > 0) rows.emplace_back(ends[link], paths.of_links[link]);
    std::ranges::sort(rows);
    for (const auto& [own, count] : rows)
      csv += fmt::format("{},S-{:016x},{},S-{:016x},{},{}\n", pattern, own.guid, own.port, own.peer,
                         own.peer_port, count);
  }
  return csv;
}

}  // namespace assay::answers
