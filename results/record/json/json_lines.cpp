// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// The line form of a record: compact JSON, closed by its CRC.
#include <stdexcept>

#include "harness/core/text/json_from.hpp"
#include "harness/core/text/json_text.hpp"
#include "results/record/json/point_text.hpp"
#include "results/record/json/record_json.hpp"
#include "results/record/json/record_rules.hpp"
#include "results/record/line_crc.hpp"

namespace assay::results {

std::string to_line(const Record& record) {
  std::string line = core::json_text(to_json(record));
  line.pop_back();
  return closed_with_crc(std::move(line));
}

Record from_line_of_any_form(const std::string& line) {
  if (line.empty()) throw std::runtime_error("not JSON: the line is empty");
  const auto object = core::json_or_discarded<nlohmann::ordered_json>(line);
  if (object.is_discarded())
    if (const std::string beyond = core::json_beyond_limits(line); !beyond.empty())
      throw std::runtime_error(beyond);
  if (!has_crc(line)) {
    if (object.is_discarded()) throw std::runtime_error("not JSON, or cut off");
    throw std::runtime_error("key 'crc32' does not end the line: expected eight hexadecimal digits");
  }
  if (!intact_line(line))
    throw std::runtime_error("crc32 does not match: the line was damaged after it was written");
  if (object.is_discarded()) throw std::runtime_error("not JSON");
  require_unique_keys(line);
  return from_json(object);
}

Record from_line(const std::string& line) {
  if (const auto intact = line.starts_with(beginning_of_point) ? intact_line(line) : std::nullopt)
    if (auto point = point_of_line(intact->body)) return *std::move(point);
  return from_line_of_any_form(line);
}

}  // namespace assay::results
