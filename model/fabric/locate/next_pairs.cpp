// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "model/fabric/locate/next_pairs.hpp"

#include <algorithm>
#include <cmath>
#include <random>
#include <unordered_map>

namespace assay::model::fabric::locate {

namespace {

struct Hypothesis {
  ElementId element;
  double probability, loss;
};

std::vector<Hypothesis> hypotheses_of(const Incidence& incidence, const Suspect& suspect) {
  constexpr std::size_t most = 64;
  std::vector<Hypothesis> all;
  const auto add = [&](const Alternative& one) {
    const std::vector<ElementId>& members = incidence.members(one.of_class);
    for (const ElementId member : members)
      all.push_back({member, one.probability / static_cast<double>(members.size()), -std::log(one.factor)});
  };
  add(suspect.named);
  for (const Alternative& one : suspect.others) add(one);
  if (all.size() > most) all.resize(most);
  double sum = 0;
  for (const Hypothesis& one : all) sum += one.probability;
  for (Hypothesis& one : all) one.probability /= sum;
  return all;
}

/// A host below the node, at random; any host where some switches below it have none.
NodeId host_below(const Topology& topology, NodeId node, std::mt19937_64& random) {
  constexpr int most_tries = 16;
  for (int tries = 0; tries < most_tries; ++tries) {
    NodeId at = node;
    while (at >= topology.hosts() && topology.first_down(at) < topology.end_down(at)) {
      const LinkId first = topology.first_down(at);
      at = topology.to(first + static_cast<LinkId>(random() % (topology.end_down(at) - first)));
    }
    if (at < topology.hosts()) return at;
  }
  return static_cast<NodeId>(random() % topology.hosts());
}

/// Pairs with one end below a link of a hypothesis.
std::vector<Measurement> draw_pairs(const Router& router, const Elements& elements,
                                    const std::vector<Hypothesis>& hypotheses,
                                    const NextPairSettings& settings) {
  const Topology& topology = router.topology();
  std::mt19937_64 random(settings.seed);
  std::vector<Measurement> pairs;
  for (std::size_t tries = 0; tries < 4 * settings.tried && pairs.size() < settings.tried; ++tries) {
    const std::vector<LinkId> links = elements.links(hypotheses[random() % hypotheses.size()].element);
    const LinkId link = links[random() % links.size()];
    const bool up = link < topology.links() / 2;
    const NodeId near = host_below(topology, up ? topology.from(link) : topology.to(link), random);
    const auto far = static_cast<NodeId>(random() % topology.hosts());
    const NodeId source = up ? near : far, destination = up ? far : near;
    if (source == destination || !topology.live(source) || !topology.live(topology.link_to_host(destination)))
      continue;
    Measurement one{{{source, destination, {{}}}}, 1};
    if (settings.ports_known)
      one.flows.front().queue_pairs.front().ports =
          router.ports_of(source, destination, static_cast<std::uint32_t>(random() % 64), 0);
    pairs.push_back(std::move(one));
  }
  return pairs;
}

/// How each pair responds to each hypothesis: of pair, then of hypothesis; empty where it does not.
std::vector<std::vector<Response>> responses_of(const Incidence& pairs,
                                                const std::vector<Hypothesis>& hypotheses) {
  std::unordered_map<ElementId, std::size_t> class_of;
  for (std::size_t one = 0; one < pairs.classes(); ++one)
    for (const ElementId member : pairs.members(one)) class_of[member] = one;
  std::vector<std::vector<Response>> responses(pairs.expected().size(),
                                               std::vector<Response>(hypotheses.size()));
  for (std::size_t at = 0; at < hypotheses.size(); ++at) {
    const auto found = class_of.find(hypotheses[at].element);
    if (found == class_of.end()) continue;
    for (const std::uint32_t row : pairs.rows_of(found->second))
      responses[pairs.rows()[row].measurement][at] = pairs.response(row);
  }
  return responses;
}

/// The density of a pair's loss under each hypothesis, on a grid of losses: columns add up to 1.
class Densities {
 public:
  Densities(const std::vector<Response>& responses, const std::vector<Hypothesis>& hypotheses,
            const Noise& noise) {
    double greatest = 0;
    for (const Hypothesis& one : hypotheses) greatest = std::max(greatest, one.loss);
    constexpr double reach = 6;  // in units of the noise
    const double step = std::max(noise.scale / 2, (greatest + 2 * reach * noise.scale) / 400);
    for (double loss = -reach * noise.scale; loss < greatest + reach * noise.scale; loss += step)
      losses_.push_back(loss);
    for (std::size_t at = 0; at < hypotheses.size(); ++at) add(responses[at], hypotheses[at].loss, noise);
  }

  /// Bits about which hypothesis holds, before anything but these probabilities is known.
  double information(const std::vector<double>& probability) const {
    double bits = 0;
    for (std::size_t at = 0; at < losses_.size(); ++at) {
      double mixed = 0, inside = 0;
      for (std::size_t one = 0; one < probability.size(); ++one) {
        const double both = probability[one] * density_[one][at];
        mixed += both;
        if (both > 0) inside += both * std::log2(density_[one][at]);
      }
      if (mixed > 0) bits += inside - mixed * std::log2(mixed);
    }
    return std::max(0.0, bits);
  }

  /// A result drawn under one of the hypotheses, then the probabilities after it.
  void observe(std::vector<double>& probability, std::mt19937_64& random) const {
    const auto draw = [&random](const auto& weights) {
      double left = static_cast<double>(random() >> 11U) * 0x1.0p-53;
      std::size_t at = 0;
      while (at + 1 < weights.size() && (left -= weights[at]) > 0) ++at;
      return at;
    };
    const std::size_t at = draw(density_[draw(probability)]);
    double sum = 0;
    for (std::size_t one = 0; one < probability.size(); ++one) sum += probability[one] *= density_[one][at];
    for (double& one : probability) one /= sum;
  }

 private:
  void add(const Response& response, double loss, const Noise& noise) {
    std::vector<double> column(losses_.size());
    double rest = 1, sum = 0;
    for (const Outcome& outcome : response) rest -= outcome.probability;
    for (std::size_t at = 0; at < losses_.size(); ++at) {
      column[at] = std::max(0.0, rest) * std::exp(noise.log_density(losses_[at]));
      for (const Outcome& outcome : response)
        column[at] += outcome.probability * std::exp(noise.log_density(losses_[at] - outcome.fall(loss)));
      sum += column[at];
    }
    for (double& one : column) one /= sum;
    density_.push_back(std::move(column));
  }

  std::vector<double> losses_;
  std::vector<std::vector<double>> density_;  // of hypothesis, then of loss
};

struct Tried {
  std::size_t pair;
  double bits;
  Densities densities;
};

/// The pairs that would give most as the first.
std::vector<Tried> most_informative(const std::vector<std::vector<Response>>& responses,
                                    const std::vector<Hypothesis>& hypotheses, const Noise& noise) {
  constexpr std::size_t kept = 48;
  std::vector<double> prior;
  for (const Hypothesis& one : hypotheses) prior.push_back(one.probability);
  std::vector<Tried> tried;
  for (std::size_t pair = 0; pair < responses.size(); ++pair) {
    Densities densities(responses[pair], hypotheses, noise);
    const double bits = densities.information(prior);
    tried.push_back({pair, bits, std::move(densities)});
  }
  std::ranges::stable_sort(tried, std::greater(), &Tried::bits);
  if (tried.size() > kept) tried.erase(tried.begin() + kept, tried.end());
  return tried;
}

/// The mean over posteriors that may hold when the pair is measured.
double expected_information(const Tried& one, const std::vector<std::vector<double>>& posteriors) {
  double bits = 0;
  for (const std::vector<double>& probability : posteriors) bits += one.densities.information(probability);
  return bits / static_cast<double>(posteriors.size());
}

}  // namespace

std::vector<NextPair> next_pairs(const Router& router, const Elements& elements, const Incidence& incidence,
                                 const Suspect& suspect, const Noise& noise,
                                 const NextPairSettings& settings) {
  const std::vector<Hypothesis> hypotheses = hypotheses_of(incidence, suspect);
  if (hypotheses.size() < 2) return {};
  const std::vector<Measurement> pairs = draw_pairs(router, elements, hypotheses, settings);
  const Incidence drawn(router, elements, pairs, Concurrency::alone);
  const std::vector<Tried> tried = most_informative(responses_of(drawn, hypotheses), hypotheses, noise);
  constexpr std::size_t samples = 24;
  std::vector<double> prior;
  for (const Hypothesis& one : hypotheses) prior.push_back(one.probability);
  std::vector<std::vector<double>> posteriors(samples, prior);
  std::mt19937_64 random(settings.seed);
  std::vector<NextPair> next;
  while (next.size() < settings.pairs) {
    const Tried* best = nullptr;
    double most = settings.least_bits;
    for (const Tried& one : tried) {
      const double bits = expected_information(one, posteriors);
      if (bits > most) {
        most = bits;
        best = &one;
      }
    }
    if (best == nullptr) break;
    const MeasuredFlow& flow = pairs[best->pair].flows.front();
    next.push_back({flow.source, flow.destination, flow.queue_pairs.front().ports, most});
    for (std::vector<double>& probability : posteriors) best->densities.observe(probability, random);
  }
  return next;
}

}  // namespace assay::model::fabric::locate
