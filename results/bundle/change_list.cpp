// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "results/bundle/change_list.hpp"

#include <algorithm>
#include <vector>

#include "results/judge/verdict/shared_texts.hpp"

namespace assay::results {
namespace {

constexpr std::array change_texts{&VerdictChange::unit, &VerdictChange::metric,    &VerdictChange::in_a,
                                  &VerdictChange::in_b, &VerdictChange::because_a, &VerdictChange::because_b,
                                  &VerdictChange::cause};

}  // namespace

struct VerdictChanges::Held {
  SharedTexts texts;
  std::vector<std::array<std::uint32_t, change_texts.size()>> changes;  // texts by number
};

VerdictChanges::VerdictChanges() : held_(std::make_shared<Held>()) {}

VerdictChanges::Held& VerdictChanges::own() {
  if (held_.use_count() > 1) {
    VerdictChanges alone;
    for (const VerdictChange& change : each()) alone.push_back(change);
    held_ = alone.held_;
  }
  return *held_;
}

void VerdictChanges::reserve(std::size_t count) { own().changes.reserve(count); }

void VerdictChanges::push_back(const VerdictChange& change) {
  own().changes.emplace_back();
  for (const auto field : change_texts) set(size() - 1, field, change.*field);
}

void VerdictChanges::set(std::size_t at, std::string VerdictChange::* field, std::string_view text) {
  const auto place = std::ranges::find(change_texts, field) - change_texts.begin();
  Held& held = own();
  held.changes[at][static_cast<std::size_t>(place)] = held.texts.number_of(text);
}

std::size_t VerdictChanges::size() const { return held_->changes.size(); }

VerdictChange VerdictChanges::operator[](std::size_t at) const {
  VerdictChange change;
  for (std::size_t text = 0; text < change_texts.size(); ++text)
    change.*change_texts[text] = held_->texts[held_->changes[at][text]];
  return change;
}

}  // namespace assay::results
