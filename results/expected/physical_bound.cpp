// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "results/expected/physical_bound.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "results/expected/operation.hpp"

namespace assay::results::expected {
namespace {

/// The busbw of a bandwidth B that every rank sends and receives its whole part with. A ring or tree sends
/// what busbw counts; switches that reduce take an all_reduce's bytes once, and give its result once.
double busbw_over_links(const Question& question, double gb_per_s, bool reduces) {
  const auto n = static_cast<double>(std::max<std::int64_t>(question.gpus, 1));
  return question.operation == "all_reduce" && reduces ? gb_per_s * 2 * (n - 1) / n : gb_per_s;
}

std::optional<PhysicalBound> bound_of_links(const Question& question, const System& system) {
  if (question.gpus < 2 || question.gpus > system.domain()) return std::nullopt;
  const auto n = static_cast<double>(question.gpus);
  if (system.mesh_link_gb_per_s > 0)
    return PhysicalBound{system.mesh_link_gb_per_s * (n - 1),
                         fmt::format("{} links of a GPU to others, {:g} GB/s each one way", question.gpus - 1,
                                     system.mesh_link_gb_per_s)};
  if (!(system.link_gb_per_s > 0)) return std::nullopt;
  return PhysicalBound{
      busbw_over_links(question, system.link_gb_per_s, system.switches_reduce),
      fmt::format("NVLink of a GPU, {:g} GB/s one way{}", system.link_gb_per_s,
                  system.switches_reduce && question.operation == "all_reduce"
                      ? fmt::format(", where switches reduce (NVLS); {:g} by a ring", system.link_gb_per_s)
                      : "")};
}

/// A node of an all_reduce sends 2 (N - 1) / N of the bytes, or the bytes where switches reduce.
std::optional<PhysicalBound> bound_of_network(const Question& question) {
  const auto gb_per_s = network_gb_per_s(question.network);
  if (!gb_per_s || !question.crosses_network()) return std::nullopt;
  if (!is_collective(question.operation))
    return PhysicalBound{*gb_per_s, fmt::format("the adapter's line rate, {:g} GB/s one way", *gb_per_s)};
  if (question.nodes < 2 || question.gpus < 2) return std::nullopt;
  const auto n = static_cast<double>(question.gpus), nodes = static_cast<double>(question.nodes);
  const double of_ranks = (n - 1) / n, of_nodes = (nodes - 1) / nodes;
  const bool reduces = question.network_reduces();
  if (question.operation == "send_receive" || question.operation == "broadcast" ||
      question.operation == "reduce")
    return PhysicalBound{*gb_per_s, fmt::format("adapters of a node, {:g} GB/s one way", *gb_per_s)};
  return PhysicalBound{reduces ? *gb_per_s * 2 * of_ranks : *gb_per_s * of_ranks / of_nodes,
                       fmt::format("adapters of a node, {:g} GB/s one way{}", *gb_per_s,
                                   reduces ? ", where switches reduce" : "")};
}

/// Each GPU sends its own part to all GPUs of other nodes. Those of a node that take part share all of its
/// adapters.
std::optional<PhysicalBound> bound_of_all_to_all(const Question& question) {
  const auto gb_per_s = network_gb_per_s(question.network);
  if (!gb_per_s || question.nodes < 2) return std::nullopt;
  const auto n = static_cast<double>(question.gpus), here = n / static_cast<double>(question.nodes);
  const double of_a_gpu = *gb_per_s / here;
  return PhysicalBound{of_a_gpu * (n - 1) / (n - here),
                       fmt::format("adapters of a node, {:g} GB/s of each GPU one way", of_a_gpu)};
}

/// Whether nearly all of what is read again and again must come from memory. A size that is not stated is
/// taken as large.
bool is_beyond_cache(const Question& question, const System& system) {
  constexpr std::int64_t caches = 4;  // of a smaller footprint, a good part may still be there
  return !question.bytes || *question.bytes >= caches * system.cache_bytes;
}

std::optional<PhysicalBound> bound_of_device(const Question& question, const System& system) {
  const auto known = [](double value, const char* by) {
    return value > 0 ? std::optional(PhysicalBound{value, by}) : std::nullopt;
  };
  const double link = std::max(system.link_gb_per_s, system.mesh_link_gb_per_s);
  if (question.operation == "memory")
    return is_beyond_cache(question, system)
               ? known(system.memory_gb_per_s, "memory's rate by the data sheet")
               : std::nullopt;
  if (question.operation == "matmul_16bit")
    return known(system.tflops_16bit, "dense products by the data sheet");
  if (question.operation == "matmul_8bit")
    return known(system.tflops_8bit, "dense products by the data sheet");
  if (question.operation == both_ways) return known(2 * link, "links between two GPUs, both ways");
  return question.operation == "device_to_device" ? known(link, "links between two GPUs, one way")
                                                  : std::nullopt;
}

}  // namespace

std::optional<double> network_gb_per_s(const std::string& network) {
  const std::size_t times = network.find('x'), end = network.find('G');
  if (times == std::string::npos || end == std::string::npos || times > end) return std::nullopt;
  int adapters = 0, gbit = 0;
  const char* const text = network.data();
  const auto count = std::from_chars(text, text + times, adapters);
  const auto rate = std::from_chars(text + times + 1, text + end, gbit);
  if (count.ptr != text + times || rate.ptr != text + end || adapters < 1 || gbit < 1) return std::nullopt;
  constexpr double bits = 8;
  return adapters * (gbit / bits);
}

std::vector<PhysicalBound> physical_bounds(const Question& question, const System& system) {
  std::vector<PhysicalBound> bounds;
  const auto take = [&](std::optional<PhysicalBound> bound) {
    if (bound) bounds.push_back(std::move(*bound));
  };
  if (is_collective(question.operation)) take(bound_of_links(question, system));
  take(question.operation == "all_to_all" ? bound_of_all_to_all(question) : bound_of_network(question));
  take(bound_of_device(question, system));
  std::ranges::sort(bounds, {}, &PhysicalBound::value);
  return bounds;
}

}  // namespace assay::results::expected
