// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "results/record/record.hpp"

#include <algorithm>

#include "harness/core/names.hpp"

namespace assay::results {
std::string still_moving(const WarmupRecord& warmup) {
  const bool of_gpu =
      warmup.last_moving == core::names::power_w || warmup.last_moving == core::names::sm_clock_mhz;
  return of_gpu && !warmup.stationary ? warmup.last_moving : "";
}

const Scalar* find(const Fields& fields, const std::string& name) {
  const auto found = std::ranges::find(fields, name, &core::Fact::first);
  return found == fields.end() ? nullptr : &found->second;
}

std::optional<double> number_of(const Scalar& value) {
  if (const auto* count = std::get_if<std::int64_t>(&value)) return static_cast<double>(*count);
  if (const auto* real = std::get_if<double>(&value)) return *real;
  return std::nullopt;
}

std::optional<double> number_in(const Fields& fields, const std::string& name) {
  const Scalar* const found = find(fields, name);
  return found == nullptr ? std::nullopt : number_of(*found);
}

std::string word_or_empty(const Scalar& value) {
  const auto* const word = std::get_if<std::string>(&value);
  return word == nullptr ? std::string() : *word;
}

const Metric* find(const std::vector<Metric>& metrics, const std::string& name) {
  const auto found = std::ranges::find(metrics, name, &Metric::name);
  return found == metrics.end() ? nullptr : &*found;
}

std::string to_string(Status status) { return std::string(words_for(core::Type<Status>()).of(status)); }
std::string to_string(Origin origin) { return std::string(words_for(core::Type<Origin>()).of(origin)); }
std::optional<Status> status_from(std::string_view word) {
  return words_for(core::Type<Status>()).named(word);
}
std::optional<Origin> origin_from(std::string_view word) {
  return words_for(core::Type<Origin>()).named(word);
}

}  // namespace assay::results
