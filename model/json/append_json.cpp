// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "model/json/append_json.hpp"

#include <fmt/compile.h>
#include <fmt/format.h>

#include <array>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <iterator>

#include "harness/core/printable.hpp"

namespace assay::model {
namespace {

// From here on the shortest form has an exponent; below, every whole number fits in 64 bits.
constexpr double exponent_from = 1e16;

bool is_plain(char letter) { return letter >= 0x20 && letter < 0x7F && letter != '"' && letter != '\\'; }

}  // namespace

void append_json(std::string& text, double value) {
  if (!std::isfinite(value)) {
    text += "null";
    return;
  }
  std::array<char, 32> buffer;
  char* end = buffer.data();
  if (std::fabs(value) < exponent_from && value == std::trunc(value)) {
    if (value == 0 && std::signbit(value)) *end++ = '-';
    end = std::to_chars(end, buffer.data() + buffer.size(), static_cast<std::int64_t>(value)).ptr;
    *end++ = '.', *end++ = '0';
  } else {
    end = fmt::format_to(end, FMT_COMPILE("{}"), value);
  }
  text.append(buffer.data(), end);
}

void append_json(std::string& text, std::string_view value) {
  text += '"';
  while (!value.empty()) {
    const std::size_t length = core::utf8_length(value);
    if (length > 1 || is_plain(value[0]))
      text += value.substr(0, length);
    else if (length == 0)
      text += "\xEF\xBF\xBD";
    else
      fmt::format_to(std::back_inserter(text), "\\u{:04x}", static_cast<unsigned>(value[0]));
    value.remove_prefix(length == 0 ? 1 : length);
  }
  text += '"';
}

}  // namespace assay::model
