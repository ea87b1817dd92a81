// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "results/bundle/said_verdicts.hpp"

#include <algorithm>
#include <functional>
#include <utility>

namespace assay::results {

RowNames::Name RowNames::name_of(std::string_view unit, std::string_view kind, std::string_view metric) {
  return {texts_.number_of(unit), texts_.number_of(kind), texts_.number_of(metric)};
}

RowNames::Name RowNames::ranked(const Name& name) const {
  return {ranks_[name.unit], ranks_[name.kind], ranks_[name.metric]};
}

void RowNames::keep(std::vector<Name> names) {
  ranks_ = texts_.ranks();
  std::ranges::sort(names, {}, std::bind_front(&RowNames::ranked, this));
  const auto rest = std::ranges::unique(names);
  names.erase(rest.begin(), rest.end());
  names.shrink_to_fit();
  names_ = std::move(names);
}

std::optional<std::size_t> RowNames::find(const Name& name) const {
  if (std::max({name.unit, name.kind, name.metric}) >= ranks_.size()) return std::nullopt;  // a later text
  const auto place =
      std::ranges::lower_bound(names_, ranked(name), {}, std::bind_front(&RowNames::ranked, this));
  if (place == names_.end() || *place != name) return std::nullopt;
  return static_cast<std::size_t>(place - names_.begin());
}

void SaidVerdicts::add(std::optional<std::size_t> name, const VerdictMark& mark) {
  if (name && said_[*name] == nothing) set(name, mark);
}

void SaidVerdicts::set(std::optional<std::size_t> name, const VerdictMark& mark) {
  if (name) said_[*name] = static_cast<std::int8_t>(gravity_of(mark));
}

std::string SaidVerdicts::word(std::size_t name) const {
  const std::int8_t gravity = said_[name];
  if (gravity == nothing) return "-";
  if (gravity < 0) return std::string(word_of(VerdictMark{.excused = true}));
  return std::string(word_of(VerdictMark{.verdict = static_cast<Verdict>(gravity)}));
}

}  // namespace assay::results
