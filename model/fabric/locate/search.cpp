// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "model/fabric/locate/search.hpp"

#include <algorithm>

namespace assay::model::fabric::locate {

namespace {

constexpr int most_passes = 8;
constexpr double better_by = 0.01;  // of ln likelihood

/// One element: its loss again, dropped, or replaced. True where the set changed.
bool polish_one(Evidence& evidence, std::vector<Slow>& slow, std::size_t at, double least_loss,
                double threshold) {
  evidence.set_slow(without(slow, at));
  const Gain here = evidence.refined(slow[at].of_class, {0, slow[at].loss});
  const std::vector<Candidate> best = best_candidates(evidence, least_loss, 1);
  if (std::max(here.gain, best.empty() ? 0 : best.front().gain.gain) < threshold) {
    slow.erase(slow.begin() + static_cast<std::ptrdiff_t>(at));
    return true;
  }
  const bool replace = !best.empty() && best.front().of_class != slow[at].of_class &&
                       best.front().gain.gain > here.gain + better_by;
  slow[at].loss = here.loss;
  if (replace) slow[at] = {best.front().of_class, best.front().gain.loss};
  return replace;
}

}  // namespace

std::vector<Slow> without(std::span<const Slow> slow, std::size_t left_out) {
  std::vector<Slow> rest(slow.begin(), slow.end());
  rest.erase(rest.begin() + static_cast<std::ptrdiff_t>(left_out));
  return rest;
}

std::vector<Candidate> best_candidates(Evidence& evidence, double least_loss, std::size_t most) {
  const std::vector<Gain> gains = evidence.sweep();
  std::vector<Candidate> candidates;
  for (std::size_t one = 0; one < gains.size(); ++one)
    if (gains[one].gain > 0) candidates.push_back({one, gains[one]});
  const auto falling = [](const Candidate& one, const Candidate& other) {
    return one.gain.gain > other.gain.gain;
  };
  // Twice as many as asked for: refinement changes their order a little.
  const std::size_t kept = std::min(candidates.size(), 2 * most + 8);
  std::ranges::partial_sort(candidates, candidates.begin() + static_cast<std::ptrdiff_t>(kept), falling);
  candidates.resize(kept);
  for (Candidate& one : candidates) one.gain = evidence.refined(one.of_class, one.gain);
  std::erase_if(candidates, [&](const Candidate& one) { return one.gain.loss < least_loss; });
  std::ranges::stable_sort(candidates, falling);
  if (candidates.size() > most) candidates.resize(most);
  return candidates;
}

void polish(Evidence& evidence, std::vector<Slow>& slow, double least_loss, double threshold) {
  bool changed = true;
  for (int pass = 0; pass < most_passes && changed; ++pass) {
    changed = false;
    for (std::size_t at = slow.size(); at-- > 0;)
      if (slow.size() > 1 && polish_one(evidence, slow, at, least_loss, threshold)) changed = true;
  }
  evidence.set_slow(slow);
}

}  // namespace assay::model::fabric::locate
