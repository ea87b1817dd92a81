// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// The matrix products one rank of a tensor-parallel group runs in one transformer block. Pure arithmetic.
//
// Per token of a microbatch, forward, with h = hidden, f = feed_forward, a = heads, g = kv_heads, d =
// head_size, and the division of Megatron-LM (Shoeybi et al. 2019, section 3): QKV and up/gate
// column-parallel, attention output and down row-parallel:
//   qkv               n = (a + 2 g) d / tp      k = h        2 h (a + 2 g) d / tp FLOP
//   attention_output  n = h                     k = a d / tp 2 h a d / tp
//   up_gate           n = (1 or 2) f / tp       k = h        2 h f / tp, twice that when gated
//   down              n = h                     k = f / tp   2 h f / tp
// A backward pass does each product twice again (dgrad, wgrad). Attention scores and their product with V are
// no products with weights and are not counted here. With more ranks than kv heads, each kv head is held by
// tp / g ranks.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include "harness/core/describe/field.hpp"
#include "harness/workload/problem.hpp"

namespace assay::workload {

struct Transformer {
  std::string name;
  std::int64_t hidden = 0, feed_forward = 0, heads = 0, kv_heads = 0, head_size = 0;
  bool gated = false;  // SwiGLU and its kin: two up-projections, done as one product
  std::int64_t layers = 0;
};
/// Keys of a model file.
constexpr auto fields_of(core::Type<Transformer>) {
  using core::Field;
  // The largest published model stays below 2^18; 2^30 leaves a margin and keeps every product inside 64
  // bits.
  constexpr core::Terms size{.lowest = 1, .highest = 1U << 30U};
  return std::tuple(
      Field<"name", &Transformer::name>{core::identity}, Field<"hidden", &Transformer::hidden>{size},
      Field<"feed_forward", &Transformer::feed_forward>{size}, Field<"heads", &Transformer::heads>{size},
      Field<"kv_heads", &Transformer::kv_heads>{size}, Field<"head_size", &Transformer::head_size>{size},
      Field<"gated", &Transformer::gated>{}, Field<"layers", &Transformer::layers>{size});
}

enum class BlockGemm { qkv, attention_output, up_gate, down };

std::string to_string(BlockGemm gemm);
std::vector<std::string> all_block_gemms();
/// Throws a usage Error naming what is accepted.
BlockGemm block_gemm_from(std::string_view text);

/// Why this model cannot be divided over `tp` ranks; empty when it can.
std::optional<std::string> indivisible(const Transformer& model, std::int64_t tp);

/// The product of one rank. Throws a usage Error when indivisible(model, tp) or tokens < 1.
Problem rank_problem(const Transformer& model, std::int64_t tokens, std::int64_t tp, BlockGemm gemm,
                     Pass pass, Dtype dtype);

/// The model with every feature count and head count divided by `divisor`, so that it fits a small machine;
/// the head size stays, and kv heads stay at least 1. Throws a usage Error where a count does not divide.
Transformer shrunk(const Transformer& model, std::int64_t divisor);

/// The published models by name: gpt3-175b, turing-nlg-530b, megatron-1t, llama2-70b, llama3-8b|70b|405b.
const std::vector<Transformer>& presets();

/// A model file (TOML). `text` is its content, `file` its name for messages. Throws a usage Error with
/// file:line.
Transformer parse_model(const std::string& text, const std::string& file);
/// Also throws when the file cannot be read.
Transformer read_model(const std::string& path);

/// A preset's name, or the path of a model file (anything ending in ".toml"). Throws a usage Error.
Transformer find_model(const std::string& name_or_path);

}  // namespace assay::workload
