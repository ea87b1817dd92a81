// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "model/predict/system/doubtful_system.hpp"

#include <fmt/format.h>

#include "model/fit/rows/possible_rates.hpp"
#include "model/predict/system/execution.hpp"

namespace assay::model {
namespace {

constexpr double one_tera = 1e12, one_giga = 1e9;
constexpr double tolerated = 1.2;  // times a limit, as of links that are counted with their coding
constexpr double least_known = 100 * one_tera;  // FLOP/s; below, it is none of the generations
constexpr std::int64_t largest_domain = 576;    // GPUs that NVLink joins

/// Known by it is the generation; 0: not stated.
double generation_flop_per_s(const System& system) {
  for (const Datatype type : {Datatype::float16, Datatype::bfloat16})
    if (const auto& engine = system.matrix[static_cast<std::size_t>(type)]) return engine->peak_flop_per_s;
  return 0;
}

void check_engines(const System& system, std::vector<DoubtfulNumber>& found) {
  for (std::size_t type = 0; type < system.matrix.size(); ++type) {
    const auto& engine = system.matrix[type];
    const std::string name(datatype_names[type]);
    const fit::RateBound& bound = fit::product_rate(name == "float8" ? "fp8" : "fp16");
    if (engine && engine->peak_flop_per_s > bound.doubted)
      found.push_back({fmt::format("matrix.{}.tflops", name),
                       fmt::format("{:.4g} TFLOP/s, twice what the newest hardware does is {:.4g}",
                                   engine->peak_flop_per_s / one_tera, bound.doubted / one_tera)});
  }
}

void check_memory(const char* key, const Memory& memory, std::vector<DoubtfulNumber>& found) {
  const fit::RateBound& bound = fit::memory_rate();
  if (memory.peak_b_per_s > bound.doubted)
    found.push_back(
        {key, fmt::format("{:.4g} GB/s, twice what the newest hardware does is {:.4g}: expected GB/s",
                          memory.peak_b_per_s / one_giga, bound.doubted / one_giga)});
}

void check_network(std::size_t at, const System& system, std::vector<DoubtfulNumber>& found) {
  const Network& network = system.networks[at];
  const double flop = generation_flop_per_s(system);
  const fit::LinkLimits limits =
      flop >= least_known ? fit::link_limits(flop) : fit::link_limits(fit::product_rate("fp16").doubted);
  const std::string key = fmt::format("networks[{}].bandwidth", at);
  const bool is_domain = at == 0 && network.size <= largest_domain;
  const double reached = network.bandwidth_b_per_s / one_giga,
               limit = (is_domain ? limits.of_domain : limits.of_adapter) / one_giga;
  // A node may have more than one adapter for each processor.
  if (reached <= limit * (is_domain ? tolerated : 2)) return;
  found.push_back(
      {key,
       fmt::format("{:.4g} GB/s with its efficiency, above the {:.4g} GB/s {} of its generation: expected "
                   "GB/s of one processor in one direction, not {}",
                   reached, limit, is_domain ? "of NVLink" : "of an adapter",
                   is_domain ? "of both directions" : "Gbit/s")});
}

}  // namespace

std::vector<DoubtfulNumber> doubtful_numbers(const System& system) {
  std::vector<DoubtfulNumber> found;
  check_engines(system, found);
  check_memory("mem1.GBps", system.mem1, found);
  check_memory("mem2.GBps", system.mem2, found);
  for (std::size_t at = 0; at < system.networks.size(); ++at) check_network(at, system, found);
  return found;
}

std::vector<std::string> doubts_of(const System& system, const std::string& file) {
  std::vector<std::string> texts;
  for (const DoubtfulNumber& one : doubtful_numbers(system))
    texts.push_back(fmt::format("{}: {}: {}", file, one.key, one.why));
  return texts;
}

}  // namespace assay::model
