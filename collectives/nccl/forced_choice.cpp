// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "collectives/nccl/forced_choice.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>

#include "collectives/tuner/tuner_words.hpp"

namespace assay::collectives {
namespace {

std::string lower(std::string_view text) {
  std::string all(text);
  std::ranges::transform(all, all.begin(),
                         [](unsigned char one) { return static_cast<char>(std::tolower(one)); });
  return all;
}

/// NCCL's name for the collective that the operation is; empty where it is made of sends and receives.
std::string_view function_of(Operation operation) {
  switch (operation) {
    case Operation::all_reduce:
    case Operation::barrier:
      return "allreduce";
    case Operation::all_gather:
      return "allgather";
    case Operation::reduce_scatter:
      return "reducescatter";
    case Operation::broadcast:
      return "broadcast";
    case Operation::reduce:
      return "reduce";
    default:
      return {};
  }
}

/// ncclNvlsSupported() of 2.28.9, src/include/device.h; gathering is not a reduction.
bool nvls_reduces(DataType type, Operator reduction) {
  using enum DataType;
  if (type == fp32 || type == fp64) return reduction == Operator::sum;
  const bool reduced = type == bf16 || type == fp16 || type == int32 || type == int64;
  return reduced && reduction != Operator::prod && reduction != Operator::avg;
}

std::string why_not_algorithm(const Choice& choice, const Problem& problem, DataType type, Operator reduction,
                              int nodes) {
  const std::string& algorithm = choice.algorithm;
  const std::string_view function = function_of(problem.operation);
  if (!collective_has(function, algorithm)) return fmt::format("NCCL has no {} for {}", algorithm, function);
  const bool by_lines = algorithm == "ring" || algorithm == "tree";
  if (!by_lines && choice.protocol != left_to_nccl && choice.protocol != "simple")
    return fmt::format("NCCL has {} with protocol simple only", algorithm);
  if (algorithm.starts_with("nvls") && reduces(problem.operation) && !nvls_reduces(type, reduction))
    return fmt::format("NVLS has no {} of {}", to_text(reduction), to_text(type));
  if (algorithm == "nvls_tree" && nodes == 1) return "NCCL has nvls_tree across nodes only";
  if (algorithm == "pat" && nodes > 0 && nodes < problem.ranks)
    return "NCCL has pat with one GPU a node only";
  return {};
}

}  // namespace

const std::vector<std::string>& nccl_algorithms() {
  static const std::vector<std::string> all{std::string(left_to_nccl), "ring", "tree",      "collnet_direct",
                                            "collnet_chain",           "nvls", "nvls_tree", "pat"};
  return all;
}

const std::vector<std::string>& nccl_protocols() {
  static const std::vector<std::string> all{std::string(left_to_nccl), "ll", "ll128", "simple"};
  return all;
}

std::string why_not_chosen(const Choice& choice, const Problem& problem, DataType type, Operator reduction,
                           int nodes) {
  if (!choice.is_forced()) return {};
  if (function_of(problem.operation).empty())
    return fmt::format("NCCL makes {} of sends and receives: no algorithm or protocol to force",
                       to_text(problem.operation));
  if (problem.ranks == 1) return "NCCL copies on one rank: no algorithm or protocol to force";
  if (choice.algorithm == left_to_nccl) return {};
  return why_not_algorithm(choice, problem, type, reduction, nodes);
}

std::vector<Variable> variables_of(const Choice& choice, Operation operation) {
  std::vector<Variable> variables;
  const auto add = [&](const char* name, const std::string& word) {
    if (word == left_to_nccl) return;
    std::string as_nccl_writes = word;
    std::erase(as_nccl_writes, '_');  // "NVLSTree", in any case
    variables.emplace_back(name, fmt::format("{}:{}", function_of(operation), as_nccl_writes));
  };
  add("NCCL_ALGO", choice.algorithm);
  add("NCCL_PROTO", choice.protocol);
  return variables;
}

std::string compared(const Choice& choice, const std::optional<RanCollective>& ran) {
  if (!ran) return "unknown";
  std::string difference;
  const auto compare = [&](const std::string& asked, const std::string& happened) {
    if (asked == left_to_nccl || asked == lower(happened)) return;
    difference += fmt::format("{}asked {}, ran {}", difference.empty() ? "" : "; ", asked, lower(happened));
  };
  compare(choice.algorithm, ran->algorithm);
  compare(choice.protocol, ran->protocol);
  return difference.empty() ? "as asked" : difference;
}

std::string why_no_wire_rate(std::string_view ran_algorithm) {
  const std::string algorithm = lower(ran_algorithm);
  if (algorithm == "nvls" || algorithm.starts_with("collnet"))
    return "no: the switch reduces or copies, a GPU sends less than busbw assumes";
  if (algorithm == "nvls_tree") return "no: the switch reduces, and nodes form a tree";
  if (algorithm == "tree") return "no: in a tree not every rank sends the same";
  return {};
}

}  // namespace assay::collectives
