// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "collectives/training/step_log.hpp"

#include <fmt/format.h>

#include <array>
#include <bit>
#include <cmath>
#include <cstddef>
#include <string_view>

namespace assay::collectives {
namespace {

constexpr std::array<std::string_view, 3> phase_words{"the loss", "the gradients before the exchange",
                                                      "the weights after it"};

std::string_view words_of(StepPhase phase) { return phase_words[static_cast<std::size_t>(phase)]; }

std::uint64_t bits_at(std::span<const float> array, std::size_t i) {
  const std::uint64_t low = std::bit_cast<std::uint32_t>(array[i]);
  const std::uint64_t high = i + 1 < array.size() ? std::bit_cast<std::uint32_t>(array[i + 1]) : 0;
  return low | high << 32U;
}

std::optional<Finding> not_finite(const StepMark& mark) {
  if (!std::isfinite(mark.loss))
    return Finding{.phase = StepPhase::loss, .what = fmt::format("the loss is {}", mark.loss)};
  for (const auto& [phase, array] :
       {std::pair(StepPhase::gradients, mark.gradients), std::pair(StepPhase::weights, mark.weights)})
    if (array.not_finite > 0)
      return Finding{
          .phase = phase,
          .what = fmt::format("{} elements of {} are NaN or infinite", array.not_finite, words_of(phase))};
  return std::nullopt;
}

std::optional<Finding> unlike(const StepMark& mark, const StepMark& first) {
  const auto differs = [](StepPhase phase) {
    return Finding{.phase = phase,
                   .what = fmt::format("{} {} not the first run's, bit by bit", words_of(phase),
                                       phase == StepPhase::loss ? "is" : "are")};
  };
  if (std::bit_cast<std::uint64_t>(mark.loss) != std::bit_cast<std::uint64_t>(first.loss))
    return differs(StepPhase::loss);
  if (mark.gradients.digest != first.gradients.digest) return differs(StepPhase::gradients);
  if (mark.weights.digest != first.weights.digest) return differs(StepPhase::weights);
  return std::nullopt;
}

}  // namespace

ArrayMark mark_of(std::span<const float> array) {
  ArrayMark mark;
  for (std::size_t i = 0; i < array.size(); i += 2)
    mark.digest += integrity::digest_term(i, bits_at(array, i));
  for (const float one : array) mark.not_finite += std::isfinite(one) ? 0 : 1;
  return mark;
}

std::string to_text(const Finding& finding) {
  return fmt::format("step {} of run {}: {}", finding.step + 1, finding.run + 1, finding.what);
}

void StepLog::add(std::int64_t run, std::int64_t step, const StepMark& mark) {
  std::optional<Finding> found = not_finite(mark);
  if (run == 0)
    first_run_.push_back(mark);
  else if (!found)
    found = unlike(mark, first_run_[static_cast<std::size_t>(step)]);
  if (!found || finding_) return;
  found->run = run;
  found->step = step;
  finding_ = std::move(found);
}

}  // namespace assay::collectives
