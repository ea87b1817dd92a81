// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "results/record/json/point_text.hpp"

namespace assay::results {
namespace {

Scalar kept(const JsonCursor::Scalar& value) {
  if (const auto* text = std::get_if<std::string_view>(&value)) return std::string(*text);
  if (const auto* whole = std::get_if<std::int64_t>(&value)) return *whole;
  return std::get<double>(value);
}

}  // namespace

void take(JsonCursor& at, const core::Terms&, core::Type<Fields>, Fields& into) {
  at.each_field(
      [&](std::string_view name, const JsonCursor::Scalar& value) { into.emplace_back(name, kept(value)); });
}

}  // namespace assay::results
