// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "results/points/imported_definition.hpp"

#include <algorithm>
#include <charconv>
#include <istream>

#include "results/peers/condition_names.hpp"
#include "results/points/point_doubts.hpp"
#include "results/points/point_outline.hpp"

namespace assay::results {
namespace {

enum class Alike {
  equal,
  within_twice,   // numbers of which neither is more than twice the other
  any_above_zero  // equal numbers, or both above 0
};

struct ImportedPart {
  std::string_view condition, name;
  Alike alike = Alike::equal;
};

constexpr ImportedPart imported_parts[] = {
    {peers::condition::tool, "tool"},
    {peers::condition::statistic, "statistic"},
    {peers::condition::executions, "iterations", Alike::within_twice},
    {peers::condition::warmup_iterations, "warm-up iterations", Alike::any_above_zero},
    {peers::condition::threads_per_process, "threads of a process"},
    {peers::condition::gpus_per_thread, "GPUs of a thread"},
    {peers::condition::aggregated_iterations, "operations of a launch"},
    {peers::condition::graph_launches, "launches of a graph"},
    {peers::condition::checked, "checking of results"},
    {peers::condition::gpu_name, "GPU"},
    {peers::condition::unaligned_bytes, "unaligned bytes"},
    {peers::condition::parallel_init, "parallel initialisation"},
    {peers::condition::mtu, "MTU"},
    {peers::condition::cq_moderation, "CQ moderation"},
    {peers::condition::inline_bytes, "inline bytes"},
    {peers::condition::pcie_relaxed_order, "relaxed ordering"},
    {peers::condition::dual_port, "dual port"},
};

std::optional<double> number_in_part(const std::string& text) {
  double number = 0;
  const char* const end = text.data() + text.size();
  const auto [at, error] = std::from_chars(text.data(), end, number);
  return error == std::errc() && at == end ? std::optional(number) : std::nullopt;
}

bool are_alike(const std::string& one, const std::string& other, Alike alike) {
  if (one == other) return true;
  const auto a = number_in_part(one), b = number_in_part(other);
  if (alike == Alike::equal || !a || !b) return false;
  const auto [least, most] = std::minmax(*a, *b);
  return alike == Alike::any_above_zero ? least > 0 : most <= 2 * least;
}

}  // namespace

std::string imported_definition(std::string_view conditions) {
  std::string definition;
  for (const ImportedPart& part : imported_parts) {
    std::string value(field_in(conditions, part.condition));
    std::ranges::replace(value, '|', '/');
    definition += value + '|';
  }
  return definition;
}

std::optional<DefinitionDifference> imported_difference(std::istream& one, std::istream& other) {
  for (const ImportedPart& part : imported_parts) {
    DefinitionDifference found{part.name, "", ""};
    std::getline(one, found.one, '|');
    std::getline(other, found.other, '|');
    if (!are_alike(found.one, found.other, part.alike)) return found;
  }
  return std::nullopt;
}

}  // namespace assay::results
