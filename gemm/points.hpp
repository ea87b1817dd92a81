// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// The axes that the gemm cases sweep, and the problem each point asks for.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "gemm/problem.hpp"
#include "gemm/recipe.hpp"
#include "harness/core/measure/axis.hpp"
#include "harness/core/measure/benchmark.hpp"

namespace assay::gemm {

enum class CacheState { cold, hot };
enum class AlgorithmChoice { library, best };

/// The default sweeps, which differ between host and device.
struct MatmulSweep {
  std::vector<core::Value> sizes;
  std::vector<core::Value> dtypes;
};
struct TransformerSweep {
  std::vector<core::Value> models, tokens, tps, dtypes;
};

struct AttentionSweep {
  std::vector<core::Value> batches, seqs, heads, dtypes;
};

/// m, n, k, dtype, layout, data, cache, algorithm. `n` and `k` default to one size each, so that the default
/// sweep is not a cube: a point with n = 0 or k = 0 means "as m".
std::vector<core::Axis> matmul_axes(const MatmulSweep& sweep);
/// model, tokens, tp, gemm, pass, dtype, data, cache, algorithm.
std::vector<core::Axis> transformer_axes(const TransformerSweep& sweep);
/// product, batch, seq, head, dtype, data, cache, algorithm.
std::vector<core::Axis> attention_axes(const AttentionSweep& sweep);

/// Everything a back end needs to know of a point of either kind.
struct Request {
  Problem problem;
  Data data = Data::normal;
  CacheState cache = CacheState::cold;
  AlgorithmChoice algorithm = AlgorithmChoice::library;
  /// Why the point asks for no product at all (tp does not divide the model); else empty.
  std::optional<std::string> impossible = {};
};

/// Throw a usage Error naming axis and value.
Request matmul_request(const core::Point& point);
Request transformer_request(const core::Point& point);
/// Scores (queries by keys) lie as a forward pass of a linear layer, context (probabilities by values) as the
/// gradient of its data: the same operands transposed.
Request attention_request(const core::Point& point);

/// m, n, k, layout, output, for the record; of an impossible point, nothing.
std::vector<core::Fact> derived(const Request& request);

core::Work work(const Problem& problem);
core::Work work(const Request& request);

}  // namespace assay::gemm
