// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// The machine: efficiency staircases of two engines and two memories, tiers of network with one latency and
// one efficiency each, as Calculon's system file gives them; and measured times, where there are any,
// instead of them.
#pragma once

#include <array>
#include <cmath>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "harness/core/measure/vector_kernels.hpp"
#include "harness/core/words.hpp"
#include "model/fit/rows/tier.hpp"
#include "model/predict/system/mends.hpp"

namespace assay::model {

enum class Datatype { float8, float16, bfloat16, float32 };
inline constexpr std::array<std::string_view, 4> datatype_names = {"float8", "float16", "bfloat16",
                                                                   "float32"};
constexpr auto words_for(core::Type<Datatype>) { return core::Words<Datatype, 4>{datatype_names}; }
constexpr double bytes_of(Datatype datatype) {
  return datatype == Datatype::float8 ? 1 : datatype == Datatype::float32 ? 4 : 2;
}

/// A descending staircase: the first step whose threshold the amount (FLOP or bytes of one operation)
/// reaches.
class Staircase {
 public:
  struct Step {
    double threshold;
    double seconds_per_unit;
  };

  /// `steps` descend and end at threshold 0 (the reader sees to it).
  explicit Staircase(std::vector<Step> steps = {}) : steps_(std::move(steps)) {}

  double seconds(double amount) const {
    if (amount == 0) return 0;
    for (const Step& step : steps_)
      if (amount >= step.threshold) return amount * step.seconds_per_unit;
    return 0;
  }
  const std::vector<Step>& steps() const { return steps_; }

 private:
  std::vector<Step> steps_;
};

struct Engine {
  double peak_flop_per_s = 0;
  Staircase by_flop;
};

struct Memory {
  double capacity_bytes = 0;
  double peak_b_per_s = 0;
  Staircase by_bytes;
  bool is_measured = false;  // by_bytes, by `assay fit`
};

enum class Collective { p2p, reduce_scatter, all_gather, all_reduce, all_to_all };
inline constexpr std::array<std::string_view, 5> collective_names = {"p2p", "reduce_scatter", "all_gather",
                                                                     "all_reduce", "all_to_all"};

/// C[m,n] = A[m,k] x B[k,n].
struct MatmulShape {
  double m = 0, n = 0, k = 0;
};

/// Attention's: queries by keys, and probabilities by values; of every head and sequence in one call.
enum class AttentionProduct { scores, context };

using core::VectorKernel;
using core::VectorPass;
/// One call of a kernel: tensors of `bytes` each, in rows of so many elements (0: rows do not matter).
struct VectorCall {
  VectorKernel kernel;
  double bytes = 0, width = 0, row = 0;  // width: bytes of an element
};

class MeasuredCollective;
class MeasuredLaw;
struct MeasuredProducts;
struct MeasuredVector;

/// Measured times of one kernel and pass in one dtype and length of rows.
struct VectorCurve {
  VectorKernel kernel;
  VectorPass pass;
  double width, row;
  std::function<double(const VectorCall&)> seconds;
  std::shared_ptr<const MeasuredVector> source = {};
};

/// Measured times of one collective and number of ranks.
struct CollectiveCurve {
  Collective operation;
  double members;
  std::function<double(double bytes)> seconds;
  std::shared_ptr<const MeasuredCollective> source = {};  // what the seconds are of, where a file has them
  fit::Tier tier = fit::Tier::unknown;
};

/// A law from measurements of one collective among some numbers of ranks, for any other from 2 on.
struct CollectiveLaw {
  Collective operation;
  std::function<double(double bytes, double members)> seconds;
  std::shared_ptr<const MeasuredLaw> source = {};
  fit::Tier tier = fit::Tier::unknown;
};

struct Network {
  struct Operation {
    double scalar = 1;  // NaN: not measured, and a step that asks for it does not fit
    double offset = 0;
  };
  double bandwidth_b_per_s = 0;  // with the efficiency
  std::int64_t size = 0;         // processors
  double latency_s = 0;          // once an operation
  double processor_usage = 0;    // share of compute lost while it works
  bool usage_is_measured = false;
  /// The hidden share of the time of data-parallel exchanges that could be hidden, with all that both cost
  /// each other: processor_usage does not count there. None: all of it, at that usage.
  std::optional<double> gradient_overlap = {}, gather_overlap = {};
  bool overlap_is_measured = false;
  bool must_be_filled = false;
  fit::Tier tier = fit::Tier::unknown;       // of a system that was measured
  std::array<Operation, 4> operations;       // by Collective, up to all_reduce
  Operation all_to_all{1, -1};               // unknown to Calculon: every share once but one's own
  std::vector<CollectiveCurve> curves = {};  // go before the line of latency and bandwidth
  std::vector<CollectiveLaw> laws = {};      // between the two

  const Operation& operation(Collective which) const {
    return which == Collective::all_to_all ? all_to_all : operations[static_cast<std::size_t>(which)];
  }
  /// `bytes` is the whole, unsharded tensor; `members` is how many take part.
  double seconds(Collective which, double bytes, double members) const {
    if (!curves.empty())
      if (const CollectiveCurve* measured = curve(which, members)) return measured->seconds(bytes);
    if (!laws.empty() && members > 1)
      if (const CollectiveLaw* found = law(which)) return found->seconds(bytes, members);
    const Operation& op = operation(which);
    return latency_s + bytes * op.scalar * (1 + op.offset / members) / bandwidth_b_per_s;
  }
  /// Whether anything says how long it takes.
  bool knows(Collective which, double members) const {
    return !std::isnan(operation(which).scalar) || curve(which, members) != nullptr || law(which) != nullptr;
  }
  /// A message has two members, whatever the caller counts. Null where nothing was measured.
  const CollectiveCurve* curve(Collective which, double members) const;
  /// Null where none was fitted.
  const CollectiveLaw* law(Collective which) const;
};

struct System {
  std::array<std::optional<Engine>, 4> matrix, vector;  // by Datatype
  Memory mem1, mem2;
  bool roofline = false;  // time of an operation: the longer of compute and memory, else their sum
  std::vector<Network> networks;
  bool lacks_operations = false;  // some operation of a network has no scalar

  Fixes fixes;
  /// Seconds of one product with weights, all in; empty: the matrix engine's staircase says.
  std::function<double(const MatmulShape&)> matmul_s = {};
  /// Seconds of `count` products of attention in one call; empty: the matrix engine's staircase says.
  std::function<double(AttentionProduct, double count, const MatmulShape&)> attention_s = {};
  std::shared_ptr<const MeasuredProducts> products = {};  // what they are of, where a file has them
  std::vector<VectorCurve> vectors = {};                  // go before the vector engine's staircase

  /// The first network that says it is of this tier.
  std::optional<std::size_t> network_of(fit::Tier tier) const;
  const Engine& matrix_engine(Datatype type) const { return *matrix[static_cast<std::size_t>(type)]; }
  const Engine& vector_engine(Datatype type) const { return *vector[static_cast<std::size_t>(type)]; }
  /// The curve of the call's kernel and width whose rows are the nearest. Null where nothing was measured.
  const VectorCurve* vector_curve(const VectorCall& call, VectorPass pass) const;
  double together(double flop_s, double memory_s) const {
    if (roofline) return flop_s > memory_s ? flop_s : memory_s;
    return flop_s + memory_s;
  }
};

}  // namespace assay::model
