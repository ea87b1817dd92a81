// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "results/record/line_crc.hpp"

#include <array>

#include "results/record/crc32.hpp"

namespace assay::results {
namespace {

constexpr std::string_view crc_key = ",\"crc32\":\"";
constexpr std::size_t crc_digits = 8;
constexpr std::size_t tail_size = crc_key.size() + crc_digits + 2;  // ,"crc32":"01234567"}

std::array<char, crc_digits> digits_of(std::uint32_t crc) {
  std::array<char, crc_digits> digits{};
  for (std::size_t i = 0; i < crc_digits; ++i)
    digits.at(i) = "0123456789abcdef"[crc >> (4 * (crc_digits - 1 - i)) & 15U];
  return digits;
}

}  // namespace

std::string closed_with_crc(std::string object) {
  const auto digits = digits_of(crc32_of(object));
  return object.append(crc_key).append(digits.data(), digits.size()).append("\"}");
}

bool has_crc(std::string_view line) {
  return line.size() > tail_size && line.ends_with("\"}") &&
         line.substr(line.size() - tail_size, crc_key.size()) == crc_key;
}

std::optional<IntactLine> intact_line(std::string_view line) {
  if (!has_crc(line)) return std::nullopt;
  const std::string_view body = line.substr(0, line.size() - tail_size);
  const std::uint32_t crc = crc32_of(body);
  const auto digits = digits_of(crc);
  if (line.substr(line.size() - crc_digits - 2, crc_digits) != std::string_view(digits.data(), digits.size()))
    return std::nullopt;
  return IntactLine{body, crc};
}

}  // namespace assay::results
