// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "collectives/nccl/nccl_limits.hpp"

#include <fmt/format.h>

namespace assay::collectives {
namespace {

bool exchanges(Operation operation) {
  return operation == Operation::all_to_all || operation == Operation::all_to_all_v ||
         operation == Operation::send_receive;
}

/// Those of 2.28 (src/ce_coll.cc: ncclCeImplemented), all over NVLink.
bool copy_engines_have(Operation operation) {
  return operation == Operation::all_gather || operation == Operation::all_to_all ||
         operation == Operation::gather || operation == Operation::scatter;
}

std::string why_not_memory(const Problem& problem, const NcclWay& way) {
  if (way.registered && way.symmetric_window)
    return "registered=1 and window=symmetric: expected one of them";
  if (way.cta_policy != CtaPolicy::zero) return {};
  if (!copy_engines_have(problem.operation))
    return "cta_policy=zero: NCCL has all_gather, all_to_all, gather and scatter by copy engines";
  return way.symmetric_window ? "" : "cta_policy=zero: copy engines need window=symmetric";
}

/// NCCL multiplies the terms by 1/n in their type; a mean says nothing where that is far off.
std::string why_no_mean(const Problem& problem, const Content& content) {
  constexpr double most = 0.25;
  if (!averages(problem, content) || reciprocal_error(content.type, problem.ranks) <= most) return {};
  return fmt::format("operator=avg: NCCL multiplies by 1/{}, which {} does not hold", problem.ranks,
                     to_text(content.type));
}

}  // namespace

std::string why_not_nccl(const Problem& problem) {
  const bool blocks =
      problem.operation == Operation::all_gather || problem.operation == Operation::reduce_scatter;
  if (blocks && problem.count % problem.ranks != 0)
    return fmt::format("NCCL's {} needs blocks of one size, but {} elements do not divide among {} ranks",
                       to_text(problem.operation), problem.count, problem.ranks);
  if (problem.in_place && exchanges(problem.operation))
    return "NCCL sends and receives at the same time, and would overwrite in place what it has yet to send";
  return {};
}

std::string why_not_reduced(int version, DataType type, Operation operation) {
  constexpr int first = 22400;  // and it takes compute capability 9.0
  if (!is_fp8(type) || !reduces(operation) || version >= first) return {};
  return fmt::format("dtype={}: NCCL reduces fp8 from 2.24 on, and this one is of code {}", to_text(type),
                     version);
}

std::string why_not_policy(int version, CtaPolicy policy) {
  constexpr int first_policies = 22700, first_copy_engines = 22800;
  if (policy == CtaPolicy::zero && version < first_copy_engines)
    return fmt::format(
        "cta_policy=zero: NCCL has collectives by copy engines from 2.28 on, and this one is of code {}",
        version);
  if (policy == CtaPolicy::efficiency && version < first_policies)
    return fmt::format("cta_policy=efficiency: NCCL has it from 2.27 on, and this one is of code {}",
                       version);
  return {};
}

bool may_run_at_once(const Problem& problem) { return !(problem.in_place && reduces(problem.operation)); }

std::string why_not_nccl(const Problem& problem, const Content& content, const NcclWay& way) {
  constexpr int nodes_not_known = 0;
  if (std::string why = why_not_nccl(problem); !why.empty()) return why;
  if (way.launch == Launch::group && !may_run_at_once(problem))
    return "launch=group: the iterations of a reduction in place would run at once on one buffer";
  if (std::string why = why_not_memory(problem, way); !why.empty()) return why;
  if (std::string why = why_no_mean(problem, content); !why.empty()) return why;
  return why_not_chosen(way.choice, problem, content.type, content.reduction, nodes_not_known);
}

std::string why_not_scheduled(const Algorithm& algorithm, const Problem& problem, const NcclWay& way) {
  if (problem.operation == Operation::barrier)
    return "NCCL sends no empty messages, so nothing would keep the ranks of a barrier waiting";
  if (way.launch == Launch::group)
    return "launch=group: the steps of an algorithm wait for one another, and a group runs all at once";
  return algorithm.illegal(problem);
}

}  // namespace assay::collectives
