// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Chakra traces in JSON: a list `workload_graph` of nodes. Keys are those of mlcommons/chakra,
// src/feeder/json_node.cpp (21585d8f); `pg_name` and `inputs` are those of protobuf traces.
#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "harness/core/error.hpp"
#include "harness/core/text/json_from.hpp"
#include "harness/core/text/json_text.hpp"
#include "model/workload/chakra/trace_builder.hpp"

namespace assay::model::workload {
namespace {

using nlohmann::json;

constexpr std::size_t longest_json = std::size_t{512} << 20U;  // bytes

class JsonTrace {
 public:
  explicit JsonTrace(const std::string& file) : file_(file), builder_(file) {}

  Trace read(std::string_view text) {
    const json document = parsed(text);
    const auto graph = document.is_object() ? document.find("workload_graph") : document.end();
    if (graph == document.end() || !graph->is_array()) refuse_other(document);
    for (const json& node : *graph) {
      if (!node.is_object()) refuse("", "expected an object");
      builder_.add(stated(node));
      ++place_;
    }
    return builder_.finish();
  }

 private:
  [[noreturn]] void refuse(const std::string& key, const std::string& why) const {
    core::usage_error(
        fmt::format("{}: workload_graph[{}]{}{}: {}", file_, place_, key.empty() ? "" : ".", key, why));
  }
  [[noreturn]] void refuse_other(const json& document) const {
    const bool of_pytorch = document.is_object() && document.contains("nodes");
    core::usage_error(file_ + (of_pytorch
                                   ? ": PyTorch's own trace: expected what chakra_converter makes of it"
                                   : ": expected a Chakra trace in JSON, with a list workload_graph"));
  }

  json parsed(std::string_view text) const {
    if (text.size() > longest_json)
      core::usage_error(file_ + ": expected at most 512 MiB of JSON; protobuf traces may be larger");
    try {
      return core::json_from<json>(text);
    } catch (const json::parse_error& error) {
      if (error.byte == 0)
        core::usage_error(file_ + ": a number is too large, or lists too deep, for any trace");
      core::usage_error(fmt::format("{}: byte {}: not a Chakra trace in JSON", file_, error.byte));
    }
  }

  std::optional<double> number(const json& node, const char* key) const {
    const auto found = node.find(key);
    if (found == node.end()) return std::nullopt;
    if (found->is_boolean()) return found->get<bool>() ? 1 : 0;
    if (!found->is_number()) refuse(key, "expected a number");
    return found->get<double>();
  }
  std::uint64_t whole(const json& value, const char* key) const {
    if (!value.is_number_unsigned()) refuse(key, "expected a whole number of at least 0");
    return value.get<std::uint64_t>();
  }
  static std::string text(const json& node, const char* key) {
    const auto found = node.find(key);
    if (found == node.end()) return {};
    return found->is_string() ? found->get<std::string>() : core::json_text(*found);
  }

  StatedNode stated(const json& node) const {
    constexpr double most_types = 100;
    const std::optional<double> type = number(node, "NodeType");
    if (!node.contains("Id")) refuse("Id", "missing");
    if (!type || *type < 0 || *type > most_types)
      refuse("NodeType", "expected a number of Chakra's NodeType");
    StatedNode one{.id = whole(node["Id"], "Id"),
                   .name = text(node, "Name"),
                   .type = static_cast<int>(*type),
                   .duration_us = number(node, "runtime").value_or(0),
                   .on_cpu = number(node, "is_cpu_op").value_or(0) != 0,
                   .comm_type = number(node, "comm_type"),
                   .comm_size = number(node, "comm_size"),
                   .comm_src = number(node, "comm_src"),
                   .comm_dst = number(node, "comm_dst"),
                   .group = text(node, "pg_name")};
    if (const auto parents = node.find("data_deps"); parents != node.end())
      for (const json& parent : *parents) one.data_deps.push_back(whole(parent, "data_deps"));
    if (const auto inputs = node.find("inputs"); inputs != node.end() && inputs->is_object())
      one.input_values = text(*inputs, "values");
    return one;
  }

  const std::string& file_;
  std::size_t place_ = 0;
  TraceBuilder builder_;
};

}  // namespace

Trace read_json_trace(const std::string& file, std::string_view text) { return JsonTrace(file).read(text); }

}  // namespace assay::model::workload
