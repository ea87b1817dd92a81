// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "harness/core/units.hpp"
#include "harness/front/answers/routes/judged_routes.hpp"

namespace assay::answers {
namespace {

namespace fabric = model::fabric;
namespace routes = model::fabric::routes;

constexpr std::size_t most_shown = 10, most_lost_shown = 5;

class RoutesText {
 public:
  explicit RoutesText(const JudgedRoutes& all) : all_(all), judged_(all.judged), topology_(all.topology) {}

  std::string text() const {
    std::string text = lead() + patterns() + balance() + lost() + lanes();
    for (const std::string& note : all_.file.route_notes) text += note + "\n";
    return text + findings();
  }

 private:
  std::string lead() const {
    std::string text = fmt::format(
        "{}: an all-to-all takes {:.2f} times as long as over hosts' own cables ({:.2f} if dealt evenly over "
        "all shortest paths), a shift {:.2f} times in the mean and {} at most",
        all_.verdict(), judged_.all_to_all_times, judged_.even_all_to_all_times, judged_.mean_shift(),
        judged_.worst_shift());
    for (const std::string& fault : all_.faults) text += "; " + fault;
    if (!all_.holds())
      text += all_.lanes ? "; buffers wait for one another in a circle unless switches map service levels to "
                           "other lanes, which --sl2vl states"
                         : "; buffers wait for one another in a circle unless service levels part them, "
                           "which the tables do not state";
    return text + ".\n";
  }

  std::string patterns() const {
    std::string text =
        fmt::format("{}, {} switches, {}; paths on the busiest cable between switches, 1: none meet\n\n",
                    core::counted(static_cast<std::int64_t>(judged_.hosts), "host"),
                    topology_.nodes() - topology_.hosts(),
                    core::counted(static_cast<std::int64_t>(judged_.planes), "plane"));
    text += fmt::format("ring                 {}\n", judged_.ring.worst);
    text += fmt::format("shifts               {} of {} free; mean {:.2f}, worst {} (by {})\n",
                        judged_.free_shifts(), judged_.shifts.size(), judged_.mean_shift(),
                        judged_.worst_shift(), all_.worst_by());
    if (!judged_.permutations.empty())
      text += fmt::format(
          "random permutations  median {}, 95 % {}, worst {} of {} (seed {}); effective bisection bandwidth "
          "{:.1f} %\n",
          quantile_of(judged_.permutations, 0.5), quantile_of(judged_.permutations, 0.95),
          judged_.permutations.back(), judged_.permutations.size(), all_.question.seed,
          100 * judged_.effective_bisection);
    return text;
  }

  std::string balance() const {
    const auto& all = judged_.all_to_all;
    std::string text = fmt::format("all-to-all           {} on {}\n", all.worst,
                                   all.worst == 0 ? "no cable" : topology_.name_of_link(all.busiest));
    for (const routes::TierBalance& tier : judged_.tiers)
      text += fmt::format("  {:<19}{} links with {} to {} paths, mean {:.1f}\n", tier.name, tier.links,
                          tier.least, tier.most, tier.mean());
    return text + fmt::format("detours              {} of {} pairs{}\n", judged_.detours.pairs, judged_.pairs,
                              judged_.detours.pairs == 0
                                  ? ""
                                  : fmt::format(", up to {} links longer than the shortest",
                                                judged_.detours.most_hops));
  }

  std::string lost() const {
    if (all_.lost.empty()) return "a lost cable         none between switches\n";
    const routes::LostCable& most = *all_.cuts_most();
    std::string text =
        fmt::format("a lost cable         cuts up to {} of {} pairs until the subnet manager sweeps ({})\n",
                    most.pairs, judged_.pairs, topology_.name_of_link(most.cable));
    text += fmt::format("  after the sweep, by minhop's rule, worst of {}:\n", all_.lost.size());
    for (std::size_t at = 0; at < std::min(most_lost_shown, all_.lost.size()); ++at) {
      const routes::LostCable& one = all_.lost[at];
      text += fmt::format("  {:<19}all-to-all {:.2f} times, {} paths on {}{}\n",
                          topology_.name_of_link(one.cable), one.times, one.busiest,
                          topology_.name_of_link(one.at),
                          one.separated > 0 ? fmt::format("; {} pairs without any way", one.separated) : "");
    }
    return text;
  }

  std::string lanes() const {
    std::vector<std::string> names = all_.cycle_names();
    const bool is_long = names.size() > most_shown;
    if (is_long) names.resize(most_shown);
    const std::string found =
        names.empty() ? "none" : fmt::format("{}{}", fmt::join(names, ", "), is_long ? ", ..." : "");
    if (!all_.lanes)
      return fmt::format("credit loops         {} (one virtual lane: the tables state no service levels)\n",
                         found);
    const auto& lanes = *all_.lanes;
    return fmt::format("credit loops         {} ({} of 16 virtual lanes in use{}{})\n", found,
                       lanes.lanes_used,
                       all_.has_lane_maps ? "" : "; assumed: the lane of a service level is its number",
                       lanes.unknown == 0 ? ""
                                          : fmt::format("; assumed: service level 0 for {} of {} paths that "
                                                        "the file does not state",
                                                        lanes.unknown, lanes.pairs));
  }

  std::string findings() const {
    std::string text;
    for (std::size_t at = 0; at < std::min(most_shown, judged_.findings.size()); ++at)
      text += (at == 0 ? "\n" : "") + routes::text_of(topology_, judged_.findings[at]) + "\n";
    if (judged_.findings.size() > most_shown)
      text +=
          fmt::format("and {} findings more: --format json has all\n", judged_.findings.size() - most_shown);
    return text;
  }

  const JudgedRoutes& all_;
  const routes::RouteJudgement& judged_;
  const fabric::Topology& topology_;
};

}  // namespace

std::string routes_text(const JudgedRoutes& routes) { return RoutesText(routes).text(); }

}  // namespace assay::answers
