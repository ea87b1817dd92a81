// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// A second statement of the training model, for tests alone: Calculon's formulas as their description writes
// them, a table of layers and a sheet of named cells, over the JSON files themselves. It shares no code with
// model/predict, and is written to be read, not to be fast. Here: the letters of the formulas, read from the
// three files.
#pragma once

#include <array>
#include <cstddef>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <utility>
#include <vector>

namespace assay::model::reference {

using Real = long double;

/// Rows of (threshold, efficiency), the first that is reached counts.
struct Table {
  Real peak = 1;  // FLOP/s or bytes/s
  std::vector<std::pair<double, Real>> rows;

  Real seconds(Real amount) const;
};

enum class Op : std::size_t { p2p, reduce_scatter, all_gather, all_reduce, nothing };

struct Tier {
  Real rate, latency, usage;  // bytes/s with its efficiency, s, share of compute
  double size;
  bool must_be_filled;
  std::array<Real, 4> scalar, offset;  // by Op

  /// S bytes among n.
  Real seconds(Op op, Real S, Real n) const;
};

struct Letters {
  Real h, f, s, a, e, L;     // hidden, feedforward, sequence, heads, elements a head, blocks
  Real n, t, p, d, B, b, v;  // processors, degrees, batch, microbatch, chunks
  Real w;                    // bytes an element
  Real T, X, Xs, Q, m, R;    // tokens, activation, its share, region between exchanges, microbatches, shards
  std::size_t tensor_net, pipeline_net, data_net;
  std::string datatype, attention, recompute, comm, overlap;
  bool fused, sharding, redo, hidden_gradients, training;
  bool weight_offload, activation_offload, optimizer_offload;

  bool roofline;
  Table matrix, vector, mem1, mem2;
  double capacity1, capacity2;
  std::vector<Tier> tiers;
  bool has_datatype;  // both engines

  Letters(const nlohmann::json& application, const nlohmann::json& execution, const nlohmann::json& system);

  Real together(Real compute_s, Real memory_s) const;
  const Tier& tensor_tier() const { return tiers[tensor_net]; }
  const Tier& pipeline_tier() const { return tiers[pipeline_net]; }
  const Tier& data_tier() const { return tiers[data_net]; }
  bool full() const { return recompute == "full"; }
  bool split() const { return comm == "rs_ag"; }
};

}  // namespace assay::model::reference
