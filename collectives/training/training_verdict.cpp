// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "collectives/training/training_verdict.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cstddef>
#include <map>
#include <nlohmann/json.hpp>
#include <utility>

#include "harness/core/error.hpp"
#include "harness/core/text/json_from.hpp"
#include "harness/core/text/json_text.hpp"

namespace assay::collectives {
namespace {

using nlohmann::json;

constexpr std::size_t steps_averaged = 5;

/// A finding at a rank: the earliest is where it began.
struct Blame {
  int rank;
  Finding finding;
};

/// The rank whose weights are not those of most ranks, after the first step where any differ.
std::optional<Blame> odd_weights(const std::vector<RankSteps>& by_rank) {
  for (std::size_t step = 0; step < by_rank.front().weights.size(); ++step) {
    std::map<std::pair<std::uint64_t, std::uint64_t>, std::vector<int>> ranks_with;
    for (std::size_t rank = 0; rank < by_rank.size(); ++rank) {
      const integrity::Digest& digest = by_rank[rank].weights.at(step);
      ranks_with[{digest.low, digest.high}].push_back(static_cast<int>(rank));
    }
    if (ranks_with.size() == 1) continue;
    const auto fewer = [](const auto& one, const auto& other) {
      return std::pair(-std::ssize(one.second), one.second.front()) <
             std::pair(-std::ssize(other.second), other.second.front());
    };
    const auto most = std::ranges::min_element(ranks_with, fewer);
    int odd = by_rank.empty() ? 0 : static_cast<int>(by_rank.size());
    for (auto group = ranks_with.begin(); group != ranks_with.end(); ++group)
      if (group != most) odd = std::min(odd, group->second.front());
    return Blame{odd,
                 {.run = 0,
                  .step = static_cast<std::int64_t>(step),
                  .phase = StepPhase::weights,
                  .what = fmt::format("the weights are not those of {} of {} ranks, rank {} among them",
                                      most->second.size(), by_rank.size(), most->second.front())}};
  }
  return std::nullopt;
}

std::optional<Blame> earliest(const std::vector<RankSteps>& by_rank) {
  std::optional<Blame> first;
  for (std::size_t rank = 0; rank < by_rank.size(); ++rank) {
    const auto& finding = by_rank[rank].finding;
    if (finding && (!first || finding->order() < first->finding.order()))
      first = Blame{static_cast<int>(rank), *finding};
  }
  auto odd = odd_weights(by_rank);
  if (odd && (!first || odd->finding.order() < first->finding.order())) return odd;
  return first;
}

double mean_loss(const std::vector<RankSteps>& by_rank, std::size_t first, std::size_t end) {
  double sum = 0;
  for (const RankSteps& one : by_rank)
    for (std::size_t step = first; step < end; ++step) sum += one.losses.at(step);
  return sum / static_cast<double>(by_rank.size() * (end - first));
}

std::string steps_digest(const std::vector<RankSteps>& by_rank) {
  integrity::Digest digest = by_rank.front().weights.back();
  std::uint64_t position = 0;
  for (const RankSteps& one : by_rank)
    for (const double loss : one.losses)
      digest += integrity::digest_term(position++, std::bit_cast<std::uint64_t>(loss));
  return to_text(digest);
}

void blame(TrainingVerdict& verdict, int rank, std::string why) {
  verdict.rank = rank;
  verdict.why = std::move(why);
}

[[noreturn]] void refuse_steps(const std::string& text) {
  throw core::Error(core::ErrorKind::team,
                    "'" + text.substr(0, 100) + "' is not what a rank says of its steps");
}

}  // namespace

TrainingVerdict verdict_of(const std::vector<RankSteps>& by_rank) {
  const std::size_t steps = by_rank.front().losses.size(), some = std::min(steps, steps_averaged);
  TrainingVerdict verdict{.digest = steps_digest(by_rank),
                          .first_loss = mean_loss(by_rank, 0, some),
                          .last_loss = mean_loss(by_rank, steps - some, steps)};
  if (const auto first = earliest(by_rank)) {
    blame(verdict, first->rank, to_text(first->finding));
    return verdict;
  }
  if (!(verdict.last_loss < least_fall * verdict.first_loss)) {
    blame(verdict, 0,
          fmt::format("the loss does not fall: {:.4f} over the first {} steps, {:.4f} over the last",
                      verdict.first_loss, some, verdict.last_loss));
    return verdict;
  }
  const auto leaks = std::ranges::find_if(by_rank, [](const RankSteps& one) { return !one.leak.empty(); });
  if (leaks != by_rank.end()) blame(verdict, static_cast<int>(leaks - by_rank.begin()), leaks->leak);
  return verdict;
}

std::string to_text(const RankSteps& steps) {
  json losses = json::array(), weights = json::array(), finding;
  for (const double loss : steps.losses) losses.push_back(std::bit_cast<std::uint64_t>(loss));
  for (const integrity::Digest& one : steps.weights) weights.push_back({one.low, one.high});
  if (steps.finding)
    finding = {steps.finding->run, steps.finding->step, static_cast<int>(steps.finding->phase),
               steps.finding->what};
  return core::json_text(
      json{{"losses", losses}, {"weights", weights}, {"finding", finding}, {"leak", steps.leak}});
}

RankSteps rank_steps_from(const std::string& text) {
  try {
    const json all = core::json_from<json>(text);
    RankSteps steps{.losses = {}, .weights = {}, .finding = {}, .leak = all.at("leak")};
    for (const std::uint64_t bits : all.at("losses")) steps.losses.push_back(std::bit_cast<double>(bits));
    for (const json& one : all.at("weights")) steps.weights.push_back({one.at(0), one.at(1)});
    if (const json& found = all.at("finding"); !found.is_null())
      steps.finding = Finding{.run = found.at(0),
                              .step = found.at(1),
                              .phase = static_cast<StepPhase>(found.at(2).get<int>()),
                              .what = found.at(3)};
    return steps;
  } catch (const json::exception&) {
    refuse_steps(text);
  }
}

std::string to_text(const TrainingVerdict& verdict) {
  return core::json_text(
      json{verdict.rank, verdict.why, verdict.digest, verdict.first_loss, verdict.last_loss});
}

TrainingVerdict training_verdict_from(const std::string& text) {
  try {
    const json all = core::json_from<json>(text);
    // JSON has no NaN, which is written as null.
    const auto number = [&](std::size_t place) {
      return all.at(place).is_null() ? 0.0 : all.at(place).get<double>();
    };
    return {.rank = all.at(0),
            .why = all.at(1),
            .digest = all.at(2),
            .first_loss = number(3),
            .last_loss = number(4)};
  } catch (const json::exception&) {
    refuse_steps(text);
  }
}

}  // namespace assay::collectives
