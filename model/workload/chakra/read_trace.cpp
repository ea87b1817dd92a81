// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "harness/core/files/input_file.hpp"
#include "model/workload/chakra/trace.hpp"

namespace assay::model::workload {
namespace {

constexpr std::size_t longest_trace = std::size_t{1} << 30U;  // bytes
constexpr std::string_view json_blanks = " \t\r\n";

/// "{" and a key, or nothing. A protobuf trace may begin with the same byte, the length of its metadata; its
/// next bytes are a field's number and a length, and no quotation mark follows them.
bool is_json(std::string_view bytes) {
  const std::size_t brace = bytes.find_first_not_of(json_blanks);
  if (brace == std::string_view::npos || (bytes[brace] != '{' && bytes[brace] != '[')) return false;
  const std::size_t next = bytes.find_first_not_of(json_blanks, brace + 1);
  return next != std::string_view::npos &&
         std::string_view("\"}]{").find(bytes[next]) != std::string_view::npos;
}

}  // namespace

Trace read_trace(const std::string& file) {
  const std::string bytes = core::read_input(file, "a Chakra execution trace", longest_trace);
  return is_json(bytes) ? read_json_trace(file, bytes) : read_protobuf_trace(file, bytes);
}

}  // namespace assay::model::workload
