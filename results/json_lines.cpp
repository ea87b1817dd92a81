// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// The line form of a record: compact JSON whose last key is the CRC-32 (zlib) of every byte before that key.
#include <zlib.h>

#include <cstdio>
#include <stdexcept>
#include <string_view>

#include "results/record_json.hpp"

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

bool has_crc(std::string_view line) {
  return line.size() > tail_size && line.ends_with("\"}") &&
         line.substr(line.size() - tail_size, crc_key.size()) == crc_key;
}

}  // namespace

std::string to_line(const Record& record) {
  using Json = nlohmann::ordered_json;
  std::string line = to_json(record).dump(-1, ' ', false, Json::error_handler_t::replace);
  line.pop_back();
  const std::string crc = crc32_of(line);
  return line.append(crc_key).append(crc).append("\"}");
}

Record from_line(const std::string& line) {
  if (line.empty()) throw std::runtime_error("not JSON: the line is empty");
  const auto object = nlohmann::ordered_json::parse(line, nullptr, false);
  if (!has_crc(line)) {
    if (object.is_discarded()) throw std::runtime_error("not JSON, or cut off");
    throw std::runtime_error("key 'crc32' does not end the line: expected eight hexadecimal digits");
  }
  const std::string_view body = std::string_view(line).substr(0, line.size() - tail_size);
  const std::string_view stored = std::string_view(line).substr(line.size() - crc_digits - 2, crc_digits);
  if (crc32_of(body) != stored)
    throw std::runtime_error("crc32 does not match: the line was damaged after it was written");
  if (object.is_discarded()) throw std::runtime_error("not JSON");
  return from_json(object);
}

}  // namespace assay::results
