// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "results/judge/links/slow_elements.hpp"

#include <algorithm>
#include <map>
#include <utility>

#include "results/judge/links/link_attribution.hpp"
#include "results/judge/statistics/robust_statistics.hpp"

namespace assay::results {
namespace {

/// The explained loss of the slower direction of a link, indexed by round.
using LinkLosses = std::map<std::uint32_t, ExplainedLoss>;

/// The losses of each link in one metric.
std::map<std::string, LinkLosses> losses_by_link(const MetricLocation& location, const MetricRates& rates) {
  std::map<std::string, LinkLosses> losses;
  for (std::size_t at = 0; at < rates.rates.size(); ++at) {
    const PairRate& rate = rates.rates[at];
    ExplainedLoss& slowest = losses[link_name(rate.from, rate.to)][rate.round];
    if (location.losses[at].loss > slowest.loss) slowest = location.losses[at];
  }
  return losses;
}

/// The median over rounds; the largest where only some runs of the finding are slow.
ExplainedLoss typical_of(const LinkLosses& of_link, FindingKind kind) {
  std::vector<ExplainedLoss> sorted;
  for (const auto& [round, loss] : of_link) sorted.push_back(loss);
  std::ranges::sort(sorted, {}, &ExplainedLoss::loss);
  return kind == FindingKind::some_runs ? sorted.back() : sorted[sorted.size() / 2];
}

/// The loss of a link, or the median over the links of an end, a host or a rail.
ExplainedLoss explained(const std::map<std::string, LinkLosses>& losses, const FleetFinding& finding) {
  std::vector<ExplainedLoss> of_links;
  if (const auto link = losses.find(finding.place); link != losses.end())
    of_links.push_back(typical_of(link->second, finding.kind));
  else
    for (const auto& [name, of_link] : losses)
      if (is_at_an_end(finding.place, name)) of_links.push_back(typical_of(of_link, finding.kind));
  if (of_links.empty()) return {};
  std::ranges::sort(of_links, {}, &ExplainedLoss::loss);
  return of_links[of_links.size() / 2];
}

bool is_of_metric(const FleetFinding& finding, const std::string& metric) {
  return finding.metric == metric || finding.metric == metric + std::string(as_an_end);
}

/// A fleet is not divided where elements explain the slow side.
void leave_out_divisions(FleetJudgement& judged) {
  constexpr std::int64_t one_in = 10;
  std::erase_if(judged.unlike, [&](const FleetUnlike& one) {
    const auto explained = std::ranges::count_if(judged.findings, [&](const FleetFinding& finding) {
      return finding.level == one.level && finding.metric == one.metric && !finding.explained_by.empty();
    });
    return explained > 0 && one.slower == one.unlike && one_in * (one.slower - explained) <= one.places;
  });
}

}  // namespace

void name_elements(const FabricLocation& location, std::span<const MetricRates> rates,
                   std::vector<FleetAcceptance>& fleets) {
  for (std::size_t at = 0; at < rates.size(); ++at) {
    const MetricLocation& metric = location.metrics[at];
    if (metric.elements.empty()) continue;
    const auto losses = losses_by_link(metric, rates[at]);
    for (FleetAcceptance& fleet : fleets)
      for (FleetFinding& finding : fleet.judged.findings) {
        if (!is_of_metric(finding, rates[at].metric)) continue;
        const ExplainedLoss by = explained(losses, finding);
        if (!by.element || metric.elements[*by.element].name == finding.place) continue;
        if (1 - (1 - finding.loss) / (1 - by.loss) < finding.limit)
          finding.explained_by = metric.elements[*by.element].name;
      }
  }
  for (FleetAcceptance& fleet : fleets) leave_out_divisions(fleet.judged);
}

}  // namespace assay::results
