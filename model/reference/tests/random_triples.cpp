// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "model/reference/tests/random_triples.hpp"

#include <algorithm>
#include <cmath>
#include <set>
#include <string>
#include <vector>

namespace assay::model::reference {
namespace {

using nlohmann::json;
using Words = std::initializer_list<const char*>;

constexpr Words datatypes = {"float8", "float16", "bfloat16", "float32"};
constexpr double rarely = 0.01;  // a rule is broken on purpose

/// Sizes that later keys depend on.
struct Shape {
  std::int64_t t, p, d, blocks;
  std::uint64_t tiers;
  bool training;
};

json random_application(Dice& dice, Shape& shape) {
  const bool tiny = dice.chance(0.2);
  const std::int64_t shared = dice.chance(0.97) ? shape.t : 1;
  const std::int64_t heads = shared * dice.pick<std::int64_t>({1, 1, 2, 3, 5, 8, 12});
  const auto head = dice.pick<std::int64_t>({1, 3, 8, 64, 100, 128, 160});
  const std::int64_t hidden =
      dice.chance(0.7) ? heads * head : shared * dice.pick<std::int64_t>({1, 3, 16, 257, 1024});
  const std::int64_t wide = shape.t * dice.pick<std::int64_t>({1, 5, 64, 777, 13696});
  const std::int64_t feedforward = (dice.chance(0.6) ? 4 * hidden : wide) + (dice.chance(rarely) ? 1 : 0);
  const auto tokens = tiny ? dice.pick<std::int64_t>({1, 2, 3, 4, 7, 12, 24})
                           : dice.pick<std::int64_t>({48, 128, 1024, 1500, 1501, 1536, 2048, 6144, 8192});
  shape.blocks = dice.pick<std::int64_t>({1, 2, 3, 5, 8, 12, 17, 24, 48, 96, 105, 254});
  return {{"hidden", hidden},    {"feedforward", feedforward}, {"seq_size", tokens},
          {"attn_heads", heads}, {"attn_size", head},          {"num_blocks", shape.blocks}};
}

std::int64_t chunks(Dice& dice, const Shape& shape) {
  if (shape.p == 1 && !dice.chance(rarely)) return 1;
  const std::int64_t blocks = (shape.blocks + shape.p - 1) / shape.p;
  const std::int64_t any = 1 + static_cast<std::int64_t>(dice.below(static_cast<std::uint64_t>(blocks) + 2));
  if (dice.chance(0.1)) return any;
  std::vector<std::int64_t> divisors;
  for (std::int64_t v = 1; v <= blocks; ++v)
    if (blocks % v == 0) divisors.push_back(v);
  return divisors[dice.below(divisors.size())];
}

void add_degrees(Dice& dice, const Shape& shape, json& execution) {
  const auto b = dice.pick<std::int64_t>({1, 1, 2, 3, 4, 8});
  const auto m = dice.pick<std::int64_t>({1, 2, 3, 4, 5, 7, 8, 16, 33, 60});
  execution["num_procs"] = shape.t * shape.p * shape.d + (dice.chance(rarely) ? 1 : 0);
  execution["tensor_par"] = shape.t;
  execution["pipeline_par"] = shape.p;
  execution["data_par"] = shape.d;
  for (const char* net : {"tensor_par_net", "pipeline_par_net", "data_par_net"})
    execution[net] = dice.below(shape.tiers) + (dice.chance(rarely / 3) ? 1 : 0);
  execution["batch_size"] = shape.d * b * m + (dice.chance(rarely) ? 1 : 0);
  execution["microbatch_size"] = b;
  execution["pipeline_interleaving"] = chunks(dice, shape);
}

/// Adds flags where they may be true, and rarely where they may not.
void add_flags(Dice& dice, const Shape& shape, json& execution) {
  const auto flag = [&](bool allowed, double often) {
    return (allowed || dice.chance(rarely)) && dice.chance(often);
  };
  const bool offloads = dice.chance(0.5);
  const bool redo =
      execution["tensor_par_comm_type"] == "rs_ag" && execution["activation_recompute"] != "full";
  execution["fused_activation"] = flag(true, 0.5);
  execution["optimizer_sharding"] = flag(shape.d > 1, 0.5);
  execution["seq_par_ag_redo"] = flag(redo, 0.5);
  execution["data_par_overlap"] = flag(shape.d > 1 && shape.training, 0.7);
  execution["weight_offload"] = offloads && flag(true, 0.5);
  execution["activations_offload"] = offloads && flag(true, 0.5);
  execution["optimizer_offload"] = offloads && flag(shape.training, 0.5);
  execution["training"] = shape.training;
}

json random_execution(Dice& dice, const Shape& shape) {
  json made;
  add_degrees(dice, shape, made);
  made["datatype"] = dice.pick(datatypes);
  made["attention_type"] = dice.pick({"multihead", "multiquery"});
  const bool recomputes = shape.training || dice.chance(rarely);
  made["activation_recompute"] = recomputes ? dice.pick({"none", "attn_only", "full"}) : "none";
  made["tensor_par_comm_type"] = dice.pick({"ar", "p2p_rs_ag", "rs_ag"});
  const bool tiles = shape.t > 1 || dice.chance(rarely);
  made["tensor_par_overlap"] = tiles ? dice.pick({"none", "ring", "pipe"}) : "none";
  add_flags(dice, shape, made);
  return made;
}

/// One row, a few as in the files that Calculon ships, or as many as a measurement has.
json random_table(Dice& dice, double largest) {
  std::set<double> thresholds;
  for (auto rows = dice.pick({0, 0, 1, 2, 4, 30}); rows > 0; --rows)
    thresholds.insert(dice.spread(largest * 1e-8, largest));
  json rows = json::array();
  for (auto threshold = thresholds.rbegin(); threshold != thresholds.rend(); ++threshold)
    rows.push_back({*threshold, dice.spread(0.05, 1)});
  rows.push_back({0, dice.spread(0.005, 1)});
  return rows;
}

json random_engine(Dice& dice, const json& execution, double tflops, double largest) {
  json types = json::object();
  for (const char* type : datatypes)
    if (dice.chance(0.3) || (execution["datatype"] == type && !dice.chance(rarely / 2)))
      types[type] = {{"tflops", tflops}, {"gflops_efficiency", random_table(dice, largest)}};
  return types;
}

/// Most of all have space for anything.
json random_memory(Dice& dice, double large, double fastest) {
  const double small = dice.spread(1e-7, 1e3);
  return {{"GiB", dice.pick({large, 1e6, 1e9, 1e9, small})},
          {"GBps", dice.spread(0.1, fastest)},
          {"MB_efficiency", random_table(dice, 3000)}};
}

json random_operation(Dice& dice) {
  const double scalar = dice.pick({1.0, 1.0, 1.5, 2.0, dice.spread(0.1, 4)});
  return {scalar, dice.pick({-1.0, -1.0, 0.0, 1.0, std::round(dice.real(-1, 2) * 100) / 100})};
}

json random_network(Dice& dice) {
  json p2p = random_operation(dice);
  p2p[1] = nullptr;
  return {{"bandwidth", dice.pick({25.0, 50.0, 450.0, dice.spread(0.1, 1e4)})},
          {"efficiency", dice.pick({1.0, 0.65, 0.9, dice.spread(0.01, 1)})},
          {"size", dice.pick({1, 8, 720, 65536, 65536, 65536, 65536, 720'720, 1'000'000'000})},
          {"latency", dice.pick({0.0, 1e-5, 2e-5, dice.spread(1e-8, 1e-2)})},
          {"ops",
           {{"p2p", p2p},
            {"reduce_scatter", random_operation(dice)},
            {"all_gather", random_operation(dice)},
            {"all_reduce", random_operation(dice)}}},
          {"must_be_filled", dice.chance(0.1)},
          {"processor_usage", dice.pick({0.0, 0.0, 0.02, 0.15, dice.spread(0.001, 0.9)})}};
}

json random_system(Dice& dice, const json& execution, const Shape& shape) {
  const double tflops = dice.spread(1e-3, 3e3);
  json networks = json::array();
  for (std::uint64_t tier = 0; tier < shape.tiers; ++tier) networks.push_back(random_network(dice));
  return {{"matrix", random_engine(dice, execution, tflops, 1e4)},
          {"vector", random_engine(dice, execution, tflops / dice.pick({1, 4, 10}), 100)},
          {"mem1", random_memory(dice, 80, 1e4)},
          {"mem2", random_memory(dice, dice.pick({0.0, 512.0}), 1e3)},
          {"processing_mode", dice.pick({"roofline", "no_overlap"})},
          {"networks", networks}};
}

}  // namespace

// SplitMix64 (Steele, Lea and Flood 2014): a generator whose states may be next to each other.
Dice::Dice(std::uint64_t seed, std::uint64_t index)
    : state_(seed * 0x9e3779b97f4a7c15U + index * 0xd1342543de82ef95U) {}

std::uint64_t Dice::below(std::uint64_t limit) {
  state_ += 0x9e3779b97f4a7c15U;
  std::uint64_t mixed = state_;
  mixed = (mixed ^ (mixed >> 30)) * 0xbf58476d1ce4e5b9U;
  mixed = (mixed ^ (mixed >> 27)) * 0x94d049bb133111ebU;
  return (mixed ^ (mixed >> 31)) % limit;
}

double Dice::real(double least, double most) {
  constexpr std::uint64_t steps = std::uint64_t{1} << 53;
  return least + (most - least) * (static_cast<double>(below(steps)) / static_cast<double>(steps));
}

double Dice::spread(double least, double most) {
  const double value = std::exp(real(std::log(least), std::log(most)));
  const double digit = std::pow(10, std::floor(std::log10(value)) - 3);
  return std::clamp(std::round(value / digit) * digit, least, most);
}

Triple random_triple(std::uint64_t seed, std::uint64_t index) {
  Dice dice(seed, index);
  Shape shape{.t = dice.pick<std::int64_t>({1, 1, 2, 2, 3, 4, 6, 8, 16}),
              .p = dice.pick<std::int64_t>({1, 1, 2, 3, 4, 5, 7, 8, 12}),
              .d = dice.pick<std::int64_t>({1, 1, 2, 3, 4, 5, 8, 16}),
              .blocks = 0,
              .tiers = 1 + dice.below(3),
              .training = dice.chance(0.75)};
  json what = random_application(dice, shape);
  json how = random_execution(dice, shape);
  json on = random_system(dice, how, shape);
  return {.application = std::move(what), .execution = std::move(how), .system = std::move(on)};
}

}  // namespace assay::model::reference
