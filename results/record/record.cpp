// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "results/record/record.hpp"

#include <array>

namespace assay::results {
namespace {

constexpr std::array<std::pair<Status, const char*>, 5> statuses{{{Status::ok, "ok"},
                                                                  {Status::unsupported, "unsupported"},
                                                                  {Status::failed, "failed"},
                                                                  {Status::wrong, "wrong"},
                                                                  {Status::timeout, "timeout"}}};
constexpr std::array<std::pair<Origin, const char*>, 4> origins{{{Origin::measured, "measured"},
                                                                 {Origin::imported, "imported"},
                                                                 {Origin::simulated, "simulated"},
                                                                 {Origin::predicted, "predicted"}}};

template <class Words, class Value>
std::string word_of(const Words& words, Value value) {
  for (const auto& [known, word] : words)
    if (known == value) return word;
  return "unknown";
}

template <class Value, class Words>
std::optional<Value> value_of(const Words& words, const std::string& text) {
  for (const auto& [known, word] : words)
    if (text == word) return known;
  return std::nullopt;
}

}  // namespace

std::string to_string(Status status) { return word_of(statuses, status); }
std::string to_string(Origin origin) { return word_of(origins, origin); }
std::optional<Status> status_from(const std::string& text) { return value_of<Status>(statuses, text); }
std::optional<Origin> origin_from(const std::string& text) { return value_of<Origin>(origins, text); }

}  // namespace assay::results
