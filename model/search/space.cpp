// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "model/search/space.hpp"

#include <algorithm>

namespace assay::model {
namespace {

bool has_mem2(const Question& question) { return question.system.mem2.capacity_bytes > 0; }

bool has_experts(const Application& application) {
  return std::ranges::any_of(kinds_of(application), [](const Application& kind) { return kind.experts > 0; });
}

/// No tile of a GEMM's exchange hides behind experts: see misfit().
void add_overlaps(const Question& question, std::vector<Execution>& choices, Execution choice) {
  choice.tensor_par_overlap = TensorParOverlap::none;
  choices.push_back(choice);
  if (choice.tensor_par == 1 || has_experts(question.application)) return;
  for (const TensorParOverlap overlap : {TensorParOverlap::ring, TensorParOverlap::pipe}) {
    choice.tensor_par_overlap = overlap;
    choices.push_back(choice);
  }
}

void add_communication(const Question& question, std::vector<Execution>& choices, Execution choice) {
  for (const TensorParComm comm : {TensorParComm::ar, TensorParComm::p2p_rs_ag, TensorParComm::rs_ag}) {
    choice.tensor_par_comm = comm;
    choice.seq_par_ag_redo = false;
    add_overlaps(question, choices, choice);
    if (comm != TensorParComm::rs_ag || choice.recompute == Recompute::full) continue;
    choice.seq_par_ag_redo = true;
    add_overlaps(question, choices, choice);
  }
}

std::vector<Execution> kernel_choices(const Question& question, const Execution& choice) {
  const bool knows_both = question.model == Model::assay;
  std::vector<Execution> choices;
  for (const bool activation : {true, false})
    for (const bool attention : {false, true}) {
      if (!(activation ? question.fused : question.unfused)) continue;
      if (attention ? !(knows_both && question.fused_attention) : knows_both && !question.unfused_attention)
        continue;
      choices.push_back(choice);
      choices.back().fused_activation = activation;
      choices.back().fused_attention = attention;
    }
  return choices;
}

}  // namespace

Configuration configuration_of(const Question& question, const Execution& execution) {
  return {.application = question.application,
          .execution = execution,
          .system = question.system,
          .model = question.model,
          .coefficients = question.coefficients};
}

std::vector<std::int64_t> divisors(std::int64_t number) {
  std::vector<std::int64_t> small, large;
  for (std::int64_t i = 1; i * i <= number; ++i) {
    if (number % i != 0) continue;
    small.push_back(i);
    if (i * i != number) large.push_back(number / i);
  }
  small.insert(small.end(), large.rbegin(), large.rend());
  return small;
}

std::vector<std::int64_t> tensor_degrees(const Question& question) {
  std::vector<std::int64_t> degrees = divisors(question.processors);
  std::erase_if(degrees, [&](std::int64_t t) {
    return question.application.hidden % t != 0 || question.application.attn_heads % t != 0;
  });
  return degrees;
}

std::vector<Split> splits(const Question& question, std::int64_t tensor_par) {
  std::vector<Split> found;
  for (const std::int64_t p : divisors(question.processors / tensor_par)) {
    const std::int64_t blocks = question.application.num_blocks;
    if (question.application.blocks.empty() ? blocks % p != 0 : p > blocks) continue;
    const std::int64_t left = question.processors / tensor_par / p;
    for (const std::int64_t c : divisors(left)) {
      const std::int64_t d = left / c;
      if (c > question.most_context || question.application.seq_size % c != 0 || d > question.max_batch)
        continue;
      found.push_back(
          {.pipeline_par = p, .data_par = d, .batch_size = question.max_batch / d * d, .context_par = c});
    }
  }
  return found;
}

std::vector<std::int64_t> microbatches(const Question& question, std::int64_t tensor_par,
                                       const Split& split) {
  std::vector<std::int64_t> sizes = divisors(split.batch_size / split.data_par);
  std::erase_if(sizes, [&](std::int64_t b) { return !is_microbatch(question, tensor_par, split, b); });
  return sizes;
}

bool is_microbatch(const Question& question, std::int64_t tensor_par, const Split& split, std::int64_t size) {
  return split.batch_size / split.data_par % size == 0 &&
         size * question.application.seq_size / split.context_par % tensor_par == 0;
}

std::vector<std::int64_t> interleavings(const Question& question, const Split& split) {
  if (split.pipeline_par == 1) return {1};
  const std::int64_t p = split.pipeline_par;
  return divisors((question.application.num_blocks + p - 1) / p);
}

std::vector<Execution> block_choices(const Question& question, std::int64_t tensor_par) {
  std::vector<Execution> choices;
  Execution choice;
  choice.tensor_par = tensor_par;
  choice.num_procs = question.processors;
  choice.datatype = question.datatype;
  for (Execution kernels : kernel_choices(question, choice))
    for (const Recompute recompute : {Recompute::none, Recompute::attn_only, Recompute::full}) {
      kernels.recompute = recompute;
      add_communication(question, choices, kernels);
    }
  return choices;
}

std::size_t tiers(const Question& question, std::int64_t degree) {
  return degree > 1 ? question.system.networks.size() : 1;
}

std::vector<ExpertPlace> expert_places(const Question& question, const Split& split) {
  if (!has_experts(question.application)) return {{}};
  std::int64_t common = 0;
  for (const Application& kind : kinds_of(question.application)) common = std::gcd(kind.experts, common);
  const auto [p, d, batch, c] = split;
  std::vector<ExpertPlace> found;
  for (const std::int64_t expert_par : divisors(common)) {
    const bool within = c > 1 && expert_par <= c;  // a replica
    if (within ? c % expert_par != 0 : expert_par % c != 0 || d % (expert_par / c) != 0) continue;
    for (std::size_t net = 0; net < tiers(question, expert_par); ++net) found.push_back({expert_par, net});
  }
  return found;
}

std::vector<ContextPlace> context_places(const Question& question, std::int64_t tensor_par,
                                         std::int64_t context_par) {
  if (context_par == 1) return {{}};
  std::vector<ContextPlace> found;
  for (const ContextPar type : {ContextPar::ring, ContextPar::all_gather, ContextPar::ulysses}) {
    if (type == ContextPar::ulysses && question.application.attn_heads / tensor_par % context_par != 0)
      continue;
    for (std::size_t net = 0; net < tiers(question, context_par); ++net) found.push_back({type, net});
  }
  return found;
}

std::vector<Around> arounds(const Question& question, std::int64_t copies, Recompute recompute) {
  const int data = copies > 1 ? 2 : 1;
  const int offload = has_mem2(question) ? 2 : 1;
  const int activations = recompute == Recompute::full ? 1 : offload;
  const bool shards = question.shards_parameters && copies > 1 && !has_experts(question.application);
  std::vector<Around> found;
  for (int sharding = 0; sharding < data; ++sharding)
    for (int overlap = 0; overlap < data; ++overlap)
      for (int weight = 0; weight < offload; ++weight)
        for (int activation = 0; activation < activations; ++activation)
          for (int optimizer = 0; optimizer < offload; ++optimizer) {
            found.push_back({sharding == 1, overlap == 1, weight == 1, activation == 1, optimizer == 1});
            if (!shards || sharding == 0 || weight == 1) continue;
            found.push_back(found.back());
            found.back().parameter_sharding = true;
          }
  return found;
}

std::int64_t count_space(const Question& question) {
  std::int64_t count = 0;
  for (const std::int64_t t : tensor_degrees(question))
    for (const Split& split : splits(question, t)) {
      std::int64_t options = 0;
      for (const Execution& choice : block_choices(question, t))
        options += static_cast<std::int64_t>(
            arounds(question, split.data_par * split.context_par, choice.recompute).size());
      const std::size_t places =
          tiers(question, t) * tiers(question, split.pipeline_par) * tiers(question, split.data_par) *
          context_places(question, t, split.context_par).size() * expert_places(question, split).size();
      count += options * static_cast<std::int64_t>(places * interleavings(question, split).size() *
                                                   microbatches(question, t, split).size());
    }
  return count;
}

}  // namespace assay::model
