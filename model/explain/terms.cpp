// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "model/explain/terms.hpp"

#include <algorithm>
#include <array>
#include <cmath>

namespace assay::model {
namespace {

double unnamed_s(const StepTime& time);

constexpr std::array<Term, 13> all = {{
    {"forward", [](const StepTime& time) { return time.forward_s; }},
    {"backward", [](const StepTime& time) { return time.backward_s; }},
    {"recompute", [](const StepTime& time) { return time.recompute_s; }},
    {"optimizer", [](const StepTime& time) { return time.optimizer_s; }},
    {"pipeline bubble", [](const StepTime& time) { return time.bubble_s; }},
    {"tensor-parallel exchange", [](const StepTime& time) { return time.tensor_exposed_s; }},
    {"repeated exchange", [](const StepTime& time) { return time.repeated_exposed_s; }},
    {"pipeline messages", [](const StepTime& time) { return time.pipeline_exposed_s; }},
    {"data-parallel exchange", [](const StepTime& time) { return time.data_exposed_s; }},
    {"experts' all-to-all", [](const StepTime& time) { return time.expert_exposed_s; }},
    {"embedding and head", [](const StepTime& time) { return time.ends_s; }},
    {"offload", [](const StepTime& time) { return time.forward_offload_s + time.backward_offload_s; }},
    {"other", unnamed_s},
}};

/// Seconds of the step that no other term names; 0 where it is only rounding.
double unnamed_s(const StepTime& time) {
  double rest = time.total_s;
  for (const Term& term : std::span(all).first(all.size() - 1)) rest -= term.seconds(time);
  return std::fabs(rest) > 1e-9 * time.total_s ? rest : 0;
}

double processor_s(const Finding& finding, const Term& term) {
  const Execution& e = finding.best->execution;
  return term.seconds(finding.best->step.time) * static_cast<double>(e.num_procs) /
         static_cast<double>(e.batch_size);
}

}  // namespace

std::span<const Term> terms() { return all; }

std::vector<TermGrowth> growth(const Finding& from, const Finding& to) {
  std::vector<TermGrowth> found;
  for (const Term& term : all)
    found.push_back({.name = term.name, .from = processor_s(from, term), .to = processor_s(to, term)});
  std::ranges::stable_sort(found, std::greater(), &TermGrowth::growth);
  return found;
}

}  // namespace assay::model
