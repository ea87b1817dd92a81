// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "model/workload/chakra/tests/trace_writer.hpp"

namespace assay::model::workload {
namespace {

std::string varint(std::uint64_t value) {
  std::string bytes;
  for (; value > 127; value >>= 7U) bytes += static_cast<char>((value & 127U) | 128U);
  return bytes + static_cast<char>(value);
}

std::string number_field(unsigned field, std::uint64_t value) { return varint(field << 3U) + varint(value); }
std::string bytes_field(unsigned field, const std::string& value) {
  return varint(field << 3U | 2U) + varint(value.size()) + value;
}

std::string numbers_field(unsigned field, const std::vector<std::uint64_t>& values) {
  std::string packed;
  for (const std::uint64_t value : values) packed += varint(value);
  return values.empty() ? packed : bytes_field(field, packed);
}

/// An AttributeProto: its name and a value in field `kind`.
std::string attribute_field(const std::string& name, const std::string& value) {
  return bytes_field(10, bytes_field(1, name) + value);
}

std::string node_bytes(const WrittenNode& node) {
  std::string bytes = number_field(1, node.id) + bytes_field(2, node.name) +
                      number_field(3, static_cast<std::uint64_t>(node.type)) +
                      numbers_field(4, node.ctrl_deps) + numbers_field(5, node.data_deps) +
                      number_field(7, node.duration_us);
  constexpr unsigned int32_value = 7, int64_value = 9, uint64_value = 13, bool_value = 27, string_value = 29;
  if (node.comm_type >= 0)
    bytes +=
        attribute_field("comm_type", number_field(int64_value, static_cast<std::uint64_t>(node.comm_type)));
  if (node.comm_size) bytes += attribute_field("comm_size", number_field(uint64_value, *node.comm_size));
  if (node.peer)
    bytes += attribute_field(node.type == sends ? "comm_dst" : "comm_src",
                             number_field(int32_value, static_cast<std::uint64_t>(*node.peer)));
  if (!node.group.empty()) bytes += attribute_field("pg_name", bytes_field(string_value, node.group));
  if (!node.input_values.empty()) bytes += bytes_field(8, bytes_field(1, node.input_values));
  return bytes + attribute_field("is_cpu_op", number_field(bool_value, node.cpu ? 1 : 0));
}

}  // namespace

WrittenNode written_groups(std::uint64_t id, const std::vector<std::pair<std::string, std::string>>& groups) {
  std::string values;
  for (const auto& [name, ranks] : groups)
    values += (values.empty() ? "" : ", ") + (R"({"pg_name": ")" + name) + R"(", "ranks": [)" + ranks + "]}";
  return {.id = id,
          .type = metadata_node,
          .cpu = true,
          .name = "## process_group:init ##",
          .input_values = "['[" + values + "]']"};
}

std::string trace_bytes(const std::vector<WrittenNode>& nodes) {
  const std::string metadata = bytes_field(1, "0.0.4");
  std::string bytes = varint(metadata.size()) + metadata;
  for (const WrittenNode& node : nodes) {
    const std::string one = node_bytes(node);
    bytes += varint(one.size()) + one;
  }
  return bytes;
}

}  // namespace assay::model::workload
