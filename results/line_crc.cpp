// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "results/line_crc.hpp"

#include <zlib.h>

#include <cstdio>

namespace assay::results {
namespace {

constexpr std::string_view crc_key = ",\"crc32\":\"";
constexpr std::size_t crc_digits = 8;
constexpr std::size_t tail_size = crc_key.size() + crc_digits + 2;  // ,"crc32":"01234567"}

std::string crc32_of(std::string_view text) {
  const auto crc = ::crc32_z(0, reinterpret_cast<const Bytef*>(text.data()), text.size());
  char digits[crc_digits + 1];
  std::snprintf(digits, sizeof digits, "%08lx", static_cast<unsigned long>(crc));
  return digits;
}

}  // namespace

std::string closed_with_crc(std::string object) {
  const std::string crc = crc32_of(object);
  return object.append(crc_key).append(crc).append("\"}");
}

bool has_crc(std::string_view line) {
  return line.size() > tail_size && line.ends_with("\"}") &&
         line.substr(line.size() - tail_size, crc_key.size()) == crc_key;
}

std::optional<std::string_view> intact_body(std::string_view line) {
  if (!has_crc(line)) return std::nullopt;
  const std::string_view body = line.substr(0, line.size() - tail_size);
  if (crc32_of(body) != line.substr(line.size() - crc_digits - 2, crc_digits)) return std::nullopt;
  return body;
}

}  // namespace assay::results
