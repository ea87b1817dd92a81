// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "harness/workload/transformer.hpp"

#include <fmt/core.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <utility>

#include "harness/core/error.hpp"

namespace assay::workload {
namespace {

constexpr std::array<std::pair<std::string_view, BlockGemm>, 4> block_gemm_names{
    {{"qkv", BlockGemm::qkv},
     {"attention_output", BlockGemm::attention_output},
     {"up_gate", BlockGemm::up_gate},
     {"down", BlockGemm::down}}};

/// Output and input features of the linear layer one rank holds.
struct Layer {
  std::int64_t out = 0, in = 0;
};

Layer rank_layer(const Transformer& model, std::int64_t tp, BlockGemm gemm) {
  const std::int64_t kv_heads = std::max<std::int64_t>(1, model.kv_heads / tp);
  switch (gemm) {
    case BlockGemm::qkv:
      return {(model.heads / tp + 2 * kv_heads) * model.head_size, model.hidden};
    case BlockGemm::attention_output:
      return {model.hidden, model.heads / tp * model.head_size};
    case BlockGemm::up_gate:
      return {(model.gated ? 2 : 1) * model.feed_forward / tp, model.hidden};
    case BlockGemm::down:
      break;
  }
  return {model.hidden, model.feed_forward / tp};
}

}  // namespace

std::string to_string(BlockGemm gemm) {
  for (const auto& [word, value] : block_gemm_names)
    if (value == gemm) return std::string(word);
  return "?";
}

std::vector<std::string> all_block_gemms() {
  std::vector<std::string> words;
  for (const auto& [word, value] : block_gemm_names) words.emplace_back(word);
  return words;
}

BlockGemm block_gemm_from(std::string_view text) {
  for (const auto& [word, value] : block_gemm_names)
    if (word == text) return value;
  core::usage_error(fmt::format("gemm '{}': expected one of {}", text, fmt::join(all_block_gemms(), ", ")));
}

std::optional<std::string> indivisible(const Transformer& model, std::int64_t tp) {
  if (tp < 1) return fmt::format("tp = {}: a tensor-parallel degree is at least 1", tp);
  if (model.heads % tp != 0)
    return fmt::format("{} has {} attention heads, which {} ranks cannot share evenly", model.name,
                       model.heads, tp);
  if (model.feed_forward % tp != 0)
    return fmt::format("{} has {} feed-forward features, which {} ranks cannot share evenly", model.name,
                       model.feed_forward, tp);
  const bool whole = tp <= model.kv_heads ? model.kv_heads % tp == 0 : tp % model.kv_heads == 0;
  if (!whole)
    return fmt::format("{} has {} kv heads, which {} ranks can neither share nor replicate evenly",
                       model.name, model.kv_heads, tp);
  return std::nullopt;
}

Problem rank_problem(const Transformer& model, std::int64_t tokens, std::int64_t tp, BlockGemm gemm,
                     Pass pass, Dtype dtype) {
  if (tokens < 1) core::usage_error(fmt::format("tokens = {}: a microbatch has at least 1 token", tokens));
  if (const auto reason = indivisible(model, tp)) core::usage_error(*reason);
  const Layer layer = rank_layer(model, tp, gemm);
  Problem problem{.m = tokens, .n = layer.out, .k = layer.in, .dtype = dtype, .pass = pass};
  if (pass == Pass::dgrad) std::swap(problem.n, problem.k);
  if (pass == Pass::wgrad) {
    problem.m = layer.out;
    problem.n = layer.in;
    problem.k = tokens;
  }
  require_possible(problem);
  return problem;
}

Transformer shrunk(const Transformer& model, std::int64_t divisor) {
  if (divisor < 1)
    core::usage_error(fmt::format("shrink={}: expected 1 (the model as it is) or more", divisor));
  const auto divided = [&](const char* what, std::int64_t count) {
    if (count % divisor != 0)
      core::usage_error(
          fmt::format("shrink={}: the {} {} of {} do not divide by it", divisor, count, what, model.name));
    return count / divisor;
  };
  Transformer small = model;
  small.hidden = divided("hidden features", model.hidden);
  small.feed_forward = divided("feed-forward features", model.feed_forward);
  small.heads = divided("attention heads", model.heads);
  small.kv_heads = divisor >= model.kv_heads ? 1 : divided("kv heads", model.kv_heads);
  return small;
}

}  // namespace assay::workload
