// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Efficiency of a transformer block's matrix products against the tensor-parallel degree. Pure arithmetic on
// points.
//
// A layer's efficiency is its least possible time (its FLOPs at the peak the record names) over its measured
// time. A block's is time-weighted: sum of least times / sum of measured times, which with one peak is sum
// FLOPs / (sum time x peak). Block bounds take every layer at the same end of its interval.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "results/store/stored_points.hpp"

namespace assay::results {

struct LayerEfficiency {
  std::string layer;  // qkv, attention_output, up_gate, down
  double flops = 0;
  Number time_s;
  double least_s = 0;  // NaN where the record names no peak
  std::int64_t n = 0;
  std::optional<Number> efficiency() const;
  Number tflops() const;
};

struct BlockEfficiency {
  std::string back_end;
  Fields group;  // every axis but the degree and the layer: model, tokens, dtype, pass, ...
  std::int64_t tensor_parallel = 0;
  std::vector<LayerEfficiency> layers;
  std::vector<std::string> missing;              // layers of the block without an ok point
  std::optional<LayerEfficiency> block() const;  // only when none is missing
};

/// From points of *.transformer cases, any status. Sorted by group in order of appearance, then by degree.
/// Where all three passes of a group are whole, one more entry with pass "all" adds them up.
std::vector<BlockEfficiency> block_efficiencies(const std::vector<StoredPoint>& points);

/// "llama3-70b, tokens 4096, bf16, forward": a group for people. Numbers and the axis `isa` are named.
std::string group_text(const Fields& group);

}  // namespace assay::results
