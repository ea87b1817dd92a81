// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "harness/front/answers/routes_answer.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <nlohmann/json.hpp>

#include "harness/core/error.hpp"
#include "harness/core/text/json_text.hpp"
#include "harness/core/units.hpp"
#include "model/fabric/file/build_fabric.hpp"
#include "model/fabric/routes/judge_routes.hpp"

namespace assay::answers {
namespace {

namespace fabric = model::fabric;
namespace routes = model::fabric::routes;

using Json = nlohmann::ordered_json;
using routes::RouteJudgement;

constexpr std::size_t most_shown = 10;

std::uint64_t quantile(const std::vector<std::uint64_t>& sorted, double share) {
  return sorted[static_cast<std::size_t>(std::lround(share * static_cast<double>(sorted.size() - 1)))];
}

/// A fabric with its tables, and what they do.
class Judged {
 public:
  Judged(const RoutesQuestion& question, fabric::FabricFile file)
      : question_(question), file_(std::move(file)), topology_(fabric::topology_of(file_)) {
    if (!file_.routing.tables)
      core::usage_error(
          fmt::format("{}: routing.kind: expected tables, as of assay fabric read --routes FILE, got {}",
                      file_.file, file_.routing_word));
    judged_ = routes::judge_routes(
        topology_, *file_.routing.tables, file_.subnet,
        {.permutations = question.permutations, .seed = question.seed, .threads = question.threads});
    find_faults();
  }

  RoutesAnswer answer() const {
    return {.text = text(), .json = core::json_text(json(), 2) + "\n", .loads = loads(), .holds = holds()};
  }

 private:
  void find_faults() {
    if (!judged_.findings.empty() || judged_.all_to_all.undelivered > 0)
      faults_.push_back(
          fmt::format("{} of {} pairs of hosts have no way", judged_.all_to_all.undelivered, judged_.pairs));
    if (const auto most = question_.shift_at_most; most && judged_.worst_shift() > *most)
      faults_.push_back(
          fmt::format("a shift puts {} paths on a cable, and the limit is {}", judged_.worst_shift(), *most));
    if (const auto most = question_.all_to_all_at_most; most && judged_.all_to_all_times > *most)
      faults_.push_back(
          fmt::format("an all-to-all takes {:.2f} times as long as over hosts' own cables, and the "
                      "limit is {}",
                      judged_.all_to_all_times, *most));
  }

  std::optional<bool> holds() const {
    if (!faults_.empty()) return false;
    return judged_.cycle.empty() ? std::optional(true) : std::nullopt;
  }

  std::string verdict() const { return !holds() ? "INCONCLUSIVE" : *holds() ? "PASS" : "FAIL"; }

  std::string lead() const {
    std::string text = fmt::format(
        "{}: an all-to-all takes {:.2f} times as long as over hosts' own cables ({:.2f} if dealt evenly over "
        "all "
        "shortest paths), a shift {:.2f} times in the mean and {} at most",
        verdict(), judged_.all_to_all_times, judged_.even_all_to_all_times, judged_.mean_shift(),
        judged_.worst_shift());
    for (const std::string& fault : faults_) text += "; " + fault;
    if (!judged_.cycle.empty())
      text +=
          "; buffers wait for one another in a circle unless service levels part them, which the tables do "
          "not state";
    return text + ".\n";
  }

  std::string text() const {
    const auto& all = judged_.all_to_all;
    const auto most_cut = cut();
    std::string text = lead();
    text += fmt::format("{}, {} switches, {}; paths on the busiest cable between switches, 1: none meet\n\n",
                        core::counted(static_cast<std::int64_t>(judged_.hosts), "host"),
                        topology_.nodes() - topology_.hosts(),
                        core::counted(static_cast<std::int64_t>(judged_.planes), "plane"));
    text += fmt::format("ring                 {}\n", judged_.ring.worst);
    text += fmt::format("shifts               {} of {} free; mean {:.2f}, worst {} (by {})\n",
                        judged_.free_shifts(), judged_.shifts.size(), judged_.mean_shift(),
                        judged_.worst_shift(), worst_by());
    if (!judged_.permutations.empty())
      text += fmt::format(
          "random permutations  median {}, 95 % {}, worst {} of {} (seed {}); effective bisection bandwidth "
          "{:.1f} "
          "%\n",
          quantile(judged_.permutations, 0.5), quantile(judged_.permutations, 0.95),
          judged_.permutations.back(), judged_.permutations.size(), question_.seed,
          100 * judged_.effective_bisection);
    text += fmt::format("all-to-all           {} on {}\n", all.worst,
                        all.worst == 0 ? "no cable" : topology_.name_of_link(all.busiest));
    for (const routes::TierBalance& tier : judged_.tiers)
      text += fmt::format("  {:<19}{} links with {} to {} paths, mean {:.1f}\n", tier.name, tier.links,
                          tier.least, tier.most, tier.mean());
    text += fmt::format("detours              {} of {} pairs{}\n", judged_.detours.pairs, judged_.pairs,
                        judged_.detours.pairs == 0 ? ""
                                                   : fmt::format(", up to {} links longer than the shortest",
                                                                 judged_.detours.most_hops));
    text +=
        fmt::format("a lost cable         cuts up to {} of {} pairs until the subnet manager sweeps ({})\n",
                    most_cut.first, judged_.pairs, most_cut.second);
    text += fmt::format("credit loops         {} (one virtual lane: the tables state no service levels)\n",
                        judged_.cycle.empty() ? "none" : cycle_text());
    for (const std::string& note : file_.route_notes) text += note + "\n";
    return text + findings_text();
  }

  std::string findings_text() const {
    std::string text;
    for (std::size_t at = 0; at < std::min(most_shown, judged_.findings.size()); ++at)
      text += (at == 0 ? "\n" : "") + routes::text_of(topology_, judged_.findings[at]) + "\n";
    if (judged_.findings.size() > most_shown)
      text +=
          fmt::format("and {} findings more: --format json has all\n", judged_.findings.size() - most_shown);
    return text;
  }

  std::size_t worst_by() const {
    return judged_.shifts.empty() ? 0
                                  : 1 + static_cast<std::size_t>(std::ranges::max_element(judged_.shifts) -
                                                                 judged_.shifts.begin());
  }

  /// The most pairs whose path crosses one cable, either way.
  std::pair<std::uint64_t, std::string> cut() const {
    std::pair<std::uint64_t, std::string> most{0, "no cable is crossed"};
    const auto& of_links = judged_.all_to_all.of_links;
    for (fabric::LinkId link = 0; link < topology_.links() / 2; ++link)
      if (const std::uint64_t pairs = of_links[link] + of_links[topology_.reverse(link)]; pairs > most.first)
        most = {pairs, topology_.name_of_link(link)};
    return most;
  }

  std::vector<std::string> cycle_names() const {
    std::vector<std::string> names;
    for (const fabric::LinkId link : judged_.cycle) names.push_back(topology_.name_of_link(link));
    return names;
  }

  std::string cycle_text() const {
    std::vector<std::string> names = cycle_names();
    const bool is_long = names.size() > most_shown;
    if (is_long) names.resize(most_shown);
    return fmt::format("{}{}", fmt::join(names, ", "), is_long ? ", ..." : "");
  }

  Json patterns_json() const {
    Json json = {{"verdict", verdict()},
                 {"faults", faults_},
                 {"hosts", judged_.hosts},
                 {"planes", judged_.planes},
                 {"pairs", judged_.pairs}};
    json["ring"] = judged_.ring.worst;
    json["shifts"] = {{"free", judged_.free_shifts()}, {"of", judged_.shifts.size()},
                      {"mean", judged_.mean_shift()},  {"worst", judged_.worst_shift()},
                      {"worst_by", worst_by()},        {"busiest", judged_.shifts}};
    if (!judged_.permutations.empty())
      json["permutations"] = {{"drawn", judged_.permutations.size()},
                              {"seed", question_.seed},
                              {"median", quantile(judged_.permutations, 0.5)},
                              {"quantile_95", quantile(judged_.permutations, 0.95)},
                              {"worst", judged_.permutations.back()},
                              {"effective_bisection_bandwidth", judged_.effective_bisection}};
    return json;
  }

  Json json() const {
    Json json = patterns_json();
    const auto& all = judged_.all_to_all;
    json["all_to_all"] = {{"busiest", all.worst},
                          {"link", all.worst == 0 ? "" : topology_.name_of_link(all.busiest)},
                          {"times", judged_.all_to_all_times},
                          {"times_dealt_evenly", judged_.even_all_to_all_times},
                          {"undelivered", all.undelivered}};
    for (const routes::TierBalance& tier : judged_.tiers)
      json["tiers"].push_back({{"name", tier.name},
                               {"links", tier.links},
                               {"least", tier.least},
                               {"mean", tier.mean()},
                               {"most", tier.most}});
    json["detours"] = {{"pairs", judged_.detours.pairs}, {"most_links", judged_.detours.most_hops}};
    const auto most_cut = cut();
    json["lost_cable"] = {{"pairs_cut", most_cut.first}, {"cable", most_cut.second}};
    json["credit_loop"] = cycle_names();
    json["notes"] = file_.route_notes;
    json["findings"] = Json::array();
    for (const routes::RouteFinding& one : judged_.findings)
      json["findings"].push_back({{"kind", core::word_of(one.kind)},
                                  {"switch", topology_.name_of(one.at)},
                                  {"lid", one.lid},
                                  {"lids", one.lids},
                                  {"port", one.port},
                                  {"text", routes::text_of(topology_, one)}});
    return json;
  }

  routes::PatternPaths paths_of(const std::string& pattern) const {
    const routes::Planes planes = routes::planes_of(topology_);
    if (pattern == "ring") return judged_.ring;
    if (pattern == "all_to_all") return judged_.all_to_all;
    std::size_t by = 0;
    const std::string_view digits =
        std::string_view(pattern).substr(std::min<std::size_t>(5, pattern.size()));
    const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), by);
    if (!pattern.starts_with("shift") || error != std::errc() || end != digits.data() + digits.size() ||
        by == 0)
      core::usage_error(
          fmt::format("--pattern {}: expected ring, all_to_all, or shift1, shift2 and so on", pattern));
    return routes::paths_of(topology_, *file_.routing.tables, routes::shift_pairs(planes, by));
  }

  std::string loads() const {
    std::string csv = "pattern,switch,port,peer,peer_port,messages\n";
    const std::vector<Ends> ends = ends_of_links();
    for (const std::string& pattern : question_.patterns) {
      const routes::PatternPaths paths = paths_of(pattern);
      std::vector<std::pair<Ends, std::uint64_t>> rows;
      for (fabric::LinkId link = 0; link < topology_.links(); ++link)
        if (paths.of_links[link] > 0) rows.emplace_back(ends[link], paths.of_links[link]);
      std::ranges::sort(rows);
      for (const auto& [own, count] : rows)
        csv += fmt::format("{},S-{:016x},{},S-{:016x},{},{}\n", pattern, own.guid, own.port, own.peer,
                           own.peer_port, count);
    }
    return csv;
  }

  struct Ends {
    std::uint64_t guid = 0;
    std::uint32_t port = 0;
    std::uint64_t peer = 0;
    std::uint32_t peer_port = 0;
    friend auto operator<=>(const Ends&, const Ends&) = default;
  };

  /// Ports at both ends of each link between switches.
  std::vector<Ends> ends_of_links() const {
    std::vector<Ends> ends(topology_.links());
    const fabric::ForwardingTables& tables = *file_.routing.tables;
    const auto guid = [this](fabric::NodeId node) { return file_.subnet.switches[node - topology_.hosts()]; };
    for (fabric::NodeId at = topology_.hosts(); at < topology_.nodes(); ++at)
      for (std::uint32_t port = 1; port < fabric::ForwardingTables::no_port; ++port) {
        const fabric::LinkId link = tables.link_of_port(at, static_cast<std::uint8_t>(port));
        if (link == fabric::ForwardingTables::no_link || !topology_.between_switches(link)) continue;
        ends[link].guid = guid(at);
        ends[link].port = port;
        ends[topology_.reverse(link)].peer = guid(at);
        ends[topology_.reverse(link)].peer_port = port;
      }
    return ends;
  }

  const RoutesQuestion& question_;
  fabric::FabricFile file_;
  fabric::Topology topology_;
  RouteJudgement judged_;
  std::vector<std::string> faults_;
};

}  // namespace

std::vector<std::string> route_remarks(const std::string& toml, const std::string& file) {
  constexpr std::size_t most_remarks = 20;
  const fabric::FabricFile read = fabric::parse_fabric(toml, file);
  const fabric::Topology topology = fabric::topology_of(read);
  std::vector<std::string> remarks = read.route_notes;
  const auto findings = routes::route_findings(topology, *read.routing.tables, read.subnet);
  for (std::size_t at = 0; at < std::min(most_remarks, findings.size()); ++at)
    remarks.push_back(routes::text_of(topology, findings[at]));
  if (findings.size() > most_remarks)
    remarks.push_back(fmt::format("and {} findings more: assay fabric routes --format json has all",
                                  findings.size() - most_remarks));
  return remarks;
}

RoutesAnswer judge_routes(const RoutesQuestion& question) {
  std::vector<fabric::KeyValue> replaced;
  for (const std::string& text : question.set) replaced.push_back(fabric::key_value(text, "--set"));
  return Judged(question, fabric::read_fabric(question.fabric, replaced)).answer();
}

}  // namespace assay::answers
