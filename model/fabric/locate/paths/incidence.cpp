// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "model/fabric/locate/paths/incidence.hpp"

#include <algorithm>
#include <cmath>
#include <tuple>

#include "harness/core/mix.hpp"
#include "model/fabric/locate/paths/unknown_paths.hpp"
#include "model/fabric/refuse.hpp"

namespace assay::model::fabric::locate {

namespace {

constexpr double probability_steps = 1 << 16, slack_steps = 1 << 8;  // responses closer than this are one

void check_measurement(const Measurement& measurement, std::size_t at, std::uint32_t hosts) {
  const std::string name = "measurement " + std::to_string(at + 1);
  if (!(measurement.rate > 0) || !std::isfinite(measurement.rate))
    refuse(name + " must have a rate above 0, got " + std::to_string(measurement.rate));
  if (!(measurement.relative_error >= 0) || !std::isfinite(measurement.relative_error))
    refuse(name + " must have a standard error of at least 0, got " +
           std::to_string(measurement.relative_error));
  if (measurement.flows.empty()) refuse(name + " has no flow");
  for (const MeasuredFlow& flow : measurement.flows) {
    if (flow.source == flow.destination || flow.source >= hosts || flow.destination >= hosts)
      refuse(name + " must have flows between two different hosts");
    if (flow.queue_pairs.empty()) refuse(name + " has a flow without a queue pair");
  }
}

/// With which probability one queue pair crosses each element, and what the element has left for a flow.
struct Likely {
  double probability = 0, slack = greatest_loss;
};

/// A path enters a switch by one link, so the probabilities of those links add up; it leaves its first host.
std::map<ElementId, Likely> likely_elements(const Router& router, const Elements& elements,
                                            const MeasuredFlow& flow, double rate) {
  const Topology& topology = router.topology();
  std::map<ElementId, Likely> likely;
  for (const LikelyLink& link : likely_links(router, flow.source, flow.destination)) {
    const double slack = std::max(0.0, std::log(topology.capacity(link.link) / rate));
    for (const ElementId element : elements.of_link(link.link)) {
      Likely& one = likely[element];
      one.slack = std::min(one.slack, slack);
      const bool leaves = element == elements.of_node(topology.from(link.link)) && link.link != flow.source;
      if (!leaves) one.probability = std::min(1.0, one.probability + link.probability);
    }
  }
  return likely;
}

std::uint32_t hops_of(const Router& router, NodeId source, NodeId destination) {
  const Topology& topology = router.topology();
  std::uint32_t hops = 2;
  for (NodeId at = topology.leaf_of(source), leaf = topology.leaf_of(destination); at != leaf; ++hops)
    at = topology.to(router.next_hops().towards(leaf, at).front());
  return hops;
}

}  // namespace

Incidence::Incidence(const Router& router, const Elements& elements,
                     std::span<const Measurement> measurements, Concurrency concurrency, QueuePairRule rule)
    : rule_(rule) {
  for (std::size_t at = 0; at < measurements.size(); ++at)
    check_measurement(measurements[at], at, router.topology().hosts());
  KnownPaths known = known_paths(router, measurements, concurrency, rule);
  expected_ = std::move(known.rate);
  element_rows_.resize(elements.size());
  std::size_t next = 0;
  for (std::uint32_t at = 0; at < measurements.size(); ++at) {
    hops_.push_back(0);
    for (const MeasuredFlow& flow : measurements[at].flows) {
      router.check_reach(flow.source, flow.destination);
      hops_.back() = std::max(hops_.back(), hops_of(router, flow.source, flow.destination));
    }
    first_row_ = rows_.size();
    const std::size_t first = next;
    while (next < known.crossings.size() && known.crossings[next].measurement == at) ++next;
    if (next > first)
      add_known(elements, std::span(known.crossings).subspan(first, next - first), at);
    else
      add_unknown(router, elements, measurements[at], at);
  }
  join_alike(elements);
}

/// An element that a part crosses twice counts once, with the less slack.
void Incidence::add_known(const Elements& elements, std::span<const KnownCrossing> crossings,
                          std::uint32_t at) {
  struct Crossed {
    ElementId element;
    std::uint32_t part;
    double slack, share;
  };
  std::vector<Crossed> crossed;
  for (const KnownCrossing& crossing : crossings)
    for (const ElementId element : elements.of_link(crossing.link))
      crossed.push_back({element, crossing.part, crossing.slack, crossing.share});
  std::ranges::sort(crossed, {},
                    [](const Crossed& one) { return std::tuple(one.element, one.part, one.slack); });
  for (std::size_t one = 0; one < crossed.size();) {
    const std::size_t first = one;
    Outcome outcome{1, crossed[first].slack, 0};
    for (; one < crossed.size() && crossed[one].element == crossed[first].element; ++one) {
      outcome.slack = std::min(outcome.slack, crossed[one].slack);
      if (one == first || crossed[one].part != crossed[one - 1].part) outcome.share += crossed[one].share;
    }
    outcome.share = rule_ == QueuePairRule::slowest ? 1 : std::min(1.0, outcome.share);
    add(crossed[first].element, at, {outcome});
  }
}

void Incidence::add_unknown(const Router& router, const Elements& elements, const Measurement& measurement,
                            std::uint32_t at) {
  const Topology& topology = router.topology();
  const auto rate_of = [&](const MeasuredFlow& flow) {
    return std::min(topology.capacity(flow.source),
                    topology.capacity(topology.link_to_host(flow.destination)));
  };
  double rate = rate_of(measurement.flows.front());
  for (const MeasuredFlow& flow : measurement.flows) rate = std::min(rate, rate_of(flow));
  expected_[at] = rate;
  std::map<ElementId, Response> responses;
  for (const MeasuredFlow& flow : measurement.flows)
    for (const auto& [element, likely] : likely_elements(router, elements, flow, rate)) {
      const Response response = binomial_response(
          likely.probability, static_cast<int>(flow.queue_pairs.size()), likely.slack, rule_);
      const auto [place, fresh] = responses.try_emplace(element, response);
      if (!fresh) place->second = slower_of(place->second, response);
    }
  for (const auto& [element, response] : responses) add(element, at, response);
}

void Incidence::add(ElementId element, std::uint32_t measurement, const Response& response) {
  Response felt;
  for (const Outcome& outcome : response)
    if (outcome.slack < greatest_loss) felt.push_back(outcome);
  if (!felt.empty()) element_rows_[element].push_back(row(measurement, felt));
}

std::uint32_t Incidence::row(std::uint32_t measurement, const Response& response) {
  Quantised quantised;
  for (const Outcome& outcome : response)
    quantised.push_back({static_cast<int>(std::lround(outcome.probability * probability_steps)),
                         static_cast<int>(std::lround(outcome.slack * slack_steps)),
                         static_cast<int>(std::lround(outcome.share * probability_steps))});
  const auto number = static_cast<std::uint32_t>(responses_.size());
  const auto [place, fresh] = response_numbers_.try_emplace(quantised, number);
  if (fresh) responses_.push_back(response);
  for (std::size_t known = first_row_; known < rows_.size(); ++known)
    if (rows_[known].response == place->second) return static_cast<std::uint32_t>(known);
  rows_.push_back({measurement, place->second});
  return static_cast<std::uint32_t>(rows_.size() - 1);
}

void Incidence::join_alike(const Elements& elements) {
  std::multimap<std::uint64_t, std::size_t> by_hash;
  for (ElementId element = 0; element < elements.size(); ++element) {
    std::vector<std::uint32_t>& rows = element_rows_[element];
    if (rows.empty()) {
      if (elements.kind(element) == ElementKind::link && elements.topology().live(element))
        unseen_.push_back(element);
      continue;
    }
    std::uint64_t hash = 0;
    for (const std::uint32_t one : rows) hash = core::mix64(hash ^ one);
    const auto [first, last] = by_hash.equal_range(hash);
    const auto alike =
        std::find_if(first, last, [&](const auto& entry) { return rows_of_[entry.second] == rows; });
    if (alike != last) {
      members_[alike->second].push_back(element);
      continue;
    }
    by_hash.emplace(hash, members_.size());
    members_.push_back({element});
    rows_of_.push_back(std::move(rows));
  }
  element_rows_.clear();
}

}  // namespace assay::model::fabric::locate
