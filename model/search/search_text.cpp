// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "model/predict/answer/prediction.hpp"
#include "model/predict/read/read.hpp"
#include "model/search/mapping_text.hpp"
#include "model/search/search.hpp"

namespace assay::model {
namespace {

constexpr double gibi = 1024.0 * 1024 * 1024;

Prediction prediction_of(const Question& question, const Execution& execution) {
  return predict(configuration_of(question, execution));
}

std::string row(const Question& question, const Candidate& candidate, std::size_t rank) {
  const Execution& e = candidate.execution;
  const Step step = prediction_of(question, e).step;
  return fmt::format("{:>4} {:>10.2f} {:>7.2f} {:>8.1f} {:>8.1f} {}  {}{}{}  {}\n", rank,
                     candidate.sample_rate, 100 * step.total_efficiency, step.memory.fullest_tier1() / gibi,
                     step.memory.tier2 / gibi, shares(e), e.tensor_par_net, e.pipeline_par_net,
                     e.data_par_net, ways(e));
}

/// No bandwidth hides what moves while the processor uses its own memory all the time.
std::string offload_text(double b_per_s) {
  return std::isinf(b_per_s) ? "unbounded" : fmt::format("{:.1f}", b_per_s * 1e-9);
}

std::string front_row(const Trade& trade) {
  return fmt::format("     {:>10.2f} {:>8.1f} {:>12} {}  {}\n", trade.sample_rate, trade.tier1_bytes / gibi,
                     offload_text(trade.offload_b_per_s), shares(trade.execution), ways(trade.execution));
}

std::string front_text(const std::vector<Trade>& front) {
  if (front.empty()) return {};
  std::string text =
      fmt::format("\nPareto front: {} that no other is as good as in all three\n", front.size());
  text += fmt::format("     {:>10} {:>8} {:>12} {}  {}\n", "samples/s", "GiB 1", "offload GB/s",
                      shares_head(), ways_head());
  for (const Trade& trade : front) text += front_row(trade);
  return text;
}

/// Nothing for Calculon's model.
std::string pricing_text(const Question& question, const Candidate& best) {
  const std::vector<std::string> lines = pricing(configuration_of(question, best.execution));
  if (lines.empty()) return {};
  std::string text = "\nTimes of the best\n";
  for (const std::string& line : lines) text += fmt::format("  {}\n", line);
  return text;
}

/// Calculon's search writes no more of a step than its numbers.
nlohmann::json entry(const Question& question, const Execution& execution) {
  const Configuration configuration = configuration_of(question, execution);
  nlohmann::json told = to_json(configuration, predict(configuration));
  if (question.model == Model::calculon) told.erase("status");
  told["execution"] = to_json(execution);
  return told;
}

}  // namespace

std::string to_text(const Question& question, const SearchResult& result, const Constraints& constraints) {
  std::string text = fmt::format("{} configurations, {} that the networks can place, {} that fit\n",
                                 result.enumerated, result.placed, result.feasible);
  if (!constraints.empty()) text += fmt::format("placed and fit with {}\n", to_string(constraints));
  if (result.best.empty()) return text + "none fits\n";
  text += fmt::format("{} evaluated, {} avoided{}\n", result.evaluated, result.avoided,
                      result.avoided > 0 ? ": a bound proves them slower than these" : "");
  text += fmt::format("\n{:>4} {:>10} {:>7} {:>8} {:>8} {}  {:<3}  {}\n", "", "samples/s", "MFU %", "GiB 1",
                      "GiB 2", shares_head(), "net", ways_head());
  for (std::size_t i = 0; i < result.best.size(); ++i) text += row(question, result.best[i], i + 1);
  return text + front_text(result.front) + pricing_text(question, result.best.front());
}

nlohmann::json counts_json(const SearchResult& result) {
  return {{"configurations", result.enumerated},
          {"placed", result.placed},
          {"fit", result.feasible},
          {"evaluated", result.evaluated},
          {"avoided", result.avoided}};
}

nlohmann::json to_json(const Question& question, const SearchResult& result) {
  nlohmann::json ranks = nlohmann::json::object();
  for (std::size_t i = 0; i < result.best.size(); ++i)
    ranks[std::to_string(i)] = entry(question, result.best[i].execution);
  return ranks;
}

nlohmann::json to_json(const std::vector<Trade>& front) {
  nlohmann::json all = nlohmann::json::array();
  for (const Trade& trade : front) {
    const bool unbounded = std::isinf(trade.offload_b_per_s);
    all.push_back({{"sample_rate", trade.sample_rate},
                   {"tier1_bytes", trade.tier1_bytes},
                   {"offload_b_per_s", unbounded ? nlohmann::json() : nlohmann::json(trade.offload_b_per_s)},
                   {"execution", to_json(trade.execution)}});
    if (unbounded) all.back()["unbounded"] = {"offload_b_per_s"};
  }
  return all;
}

}  // namespace assay::model
