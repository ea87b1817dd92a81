// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// The machine, as Calculon's system file gives it: efficiency staircases of two engines and two memories, and
// tiers of network with one latency and one efficiency each.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

namespace assay::model {

enum class Datatype { float8, float16, bfloat16, float32 };
inline constexpr std::array<std::string_view, 4> datatype_names = {"float8", "float16", "bfloat16",
                                                                   "float32"};
double bytes_of(Datatype datatype);

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
};

enum class Collective { p2p, reduce_scatter, all_gather, all_reduce };

struct Network {
  struct Operation {
    double scalar = 1;
    double offset = 0;
  };
  double bandwidth_b_per_s = 0;  // with the efficiency
  std::int64_t size = 0;         // processors
  double latency_s = 0;          // once an operation
  double processor_usage = 0;    // share of compute lost while it works
  bool must_be_filled = false;
  std::array<Operation, 4> operations;  // by Collective

  const Operation& operation(Collective which) const { return operations[static_cast<std::size_t>(which)]; }
  /// `bytes` is the whole, unsharded tensor; `members` is how many take part.
  double seconds(Collective which, double bytes, double members) const {
    const Operation& op = operation(which);
    return latency_s + bytes * op.scalar * (1 + op.offset / members) / bandwidth_b_per_s;
  }
};

struct System {
  std::array<std::optional<Engine>, 4> matrix, vector;  // by Datatype
  Memory mem1, mem2;
  bool roofline = false;  // time of an operation: the longer of compute and memory, else their sum
  std::vector<Network> networks;

  const Engine& matrix_engine(Datatype type) const { return *matrix[static_cast<std::size_t>(type)]; }
  const Engine& vector_engine(Datatype type) const { return *vector[static_cast<std::size_t>(type)]; }
  double together(double flop_s, double memory_s) const {
    if (roofline) return flop_s > memory_s ? flop_s : memory_s;
    return flop_s + memory_s;
  }
};

}  // namespace assay::model
