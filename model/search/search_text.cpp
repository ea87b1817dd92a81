// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "model/predict/prediction.hpp"
#include "model/predict/read.hpp"
#include "model/search/search.hpp"

namespace assay::model {
namespace {

constexpr double gibi = 1024.0 * 1024 * 1024;

Prediction prediction_of(const Question& question, const Execution& execution) {
  return predict({question.application, execution, question.system});
}

/// "rs_ag/ring": how tensor-parallel peers talk; "-" alone.
std::string tensor_words(const Execution& e) {
  if (e.tensor_par == 1) return "-";
  return fmt::format("{}{}/{}", tensor_par_comm_names[static_cast<std::size_t>(e.tensor_par_comm)],
                     e.seq_par_ag_redo ? "+redo" : "",
                     tensor_par_overlap_names[static_cast<std::size_t>(e.tensor_par_overlap)]);
}

std::string switches(const Execution& e) {
  std::string text;
  const auto add = [&](bool on, const char* word) {
    if (on) text += (text.empty() ? "" : " ") + std::string(word);
  };
  add(e.optimizer_sharding, "sharded");
  add(e.data_par_overlap, "dp-overlap");
  add(e.fused_activation, "fused");
  add(e.weight_offload, "offload:weights");
  add(e.activations_offload, "offload:activations");
  add(e.optimizer_offload, "offload:optimizer");
  return text;
}

/// How processors are shared out: t, p, d, b, v.
std::string shares(const Execution& e) {
  return fmt::format("{:>5} {:>5} {:>5} {:>3} {:>3}", e.tensor_par, e.pipeline_par, e.data_par,
                     e.microbatch_size, e.interleaving);
}

std::string ways(const Execution& e) {
  return fmt::format("{:<9} {:<15} {}", recompute_names[static_cast<std::size_t>(e.recompute)],
                     tensor_words(e), switches(e));
}

std::string shares_head() { return fmt::format("{:>5} {:>5} {:>5} {:>3} {:>3}", "t", "p", "d", "b", "v"); }

std::string ways_head() { return fmt::format("{:<9} {:<15} {}", "recompute", "tensor", "switched on"); }

std::string row(const Question& question, const Candidate& candidate, std::size_t rank) {
  const Execution& e = candidate.execution;
  const Step step = prediction_of(question, e).step;
  return fmt::format("{:>4} {:>10.2f} {:>7.2f} {:>8.1f} {:>8.1f} {}  {}{}{}  {}\n", rank,
                     candidate.sample_rate, 100 * step.total_efficiency, step.memory.tier1 / gibi,
                     step.memory.tier2 / gibi, shares(e), e.tensor_par_net, e.pipeline_par_net,
                     e.data_par_net, ways(e));
}

std::string front_row(const Trade& trade) {
  return fmt::format("     {:>10.2f} {:>8.1f} {:>12.1f} {}  {}\n", trade.sample_rate,
                     trade.tier1_bytes / gibi, trade.offload_b_per_s * 1e-9, shares(trade.execution),
                     ways(trade.execution));
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

}  // namespace

std::string to_text(const Question& question, const SearchResult& result) {
  std::string text = fmt::format("{} configurations, {} that the networks can place, {} that fit\n",
                                 result.enumerated, result.placed, result.feasible);
  if (result.best.empty()) return text + "none fits\n";
  text += fmt::format("\n{:>4} {:>10} {:>7} {:>8} {:>8} {}  {:<3}  {}\n", "", "samples/s", "MFU %", "GiB 1",
                      "GiB 2", shares_head(), "net", ways_head());
  for (std::size_t i = 0; i < result.best.size(); ++i) text += row(question, result.best[i], i + 1);
  return text + front_text(result.front);
}

nlohmann::json to_json(const Question& question, const SearchResult& result) {
  nlohmann::json ranks = nlohmann::json::object();
  for (std::size_t i = 0; i < result.best.size(); ++i) {
    const Execution& execution = result.best[i].execution;
    const Configuration configuration{question.application, execution, question.system};
    ranks[std::to_string(i)] = {{"execution", to_json(execution)},
                                {"stats", to_json(configuration, predict(configuration)).at("stats")}};
  }
  return ranks;
}

}  // namespace assay::model
