// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Messages with their length before each: GlobalMetadata, then nodes. Numbers of node types and collectives
// are those of mlcommons/chakra, schema/protobuf/et_def.proto; comm_type, comm_size, comm_src, comm_dst,
// pg_name and is_cpu_op are attributes of nodes. As in Chakra's own feeder only data_deps order nodes:
// ctrl_deps name callers, which its converter may have removed.
#include <chakra_trace.pb.h>
#include <fmt/format.h>
#include <google/protobuf/io/coded_stream.h>
#include <google/protobuf/stubs/logging.h>

#include <algorithm>
#include <array>
#include <map>
#include <optional>

#include "harness/core/error.hpp"
#include "harness/core/input_file.hpp"
#include "model/workload/chakra/trace.hpp"

namespace assay::model::workload {
namespace {

using training::Traffic;

constexpr std::size_t longest_trace = std::size_t{1} << 30U;  // bytes
constexpr double most_bytes = 1e15, most_us = 1e15;           // of one node
constexpr double most_rank = 1U << 31U;

enum NodeType { compute_node = 4, send_node = 5, receive_node = 6, collective_node = 7 };

/// By CollectiveCommType; `none`: left out.
constexpr std::array<Traffic, 10> collectives{
    Traffic::all_reduce,     Traffic::reduce,    Traffic::all_gather, Traffic::none,
    Traffic::none,           Traffic::broadcast, Traffic::all_to_all, Traffic::reduce_scatter,
    Traffic::reduce_scatter, Traffic::none};

class TraceReader {
 public:
  explicit TraceReader(const std::string& file)
      : bytes_(core::read_input(file, "a Chakra execution trace", longest_trace)), trace_{.file = file} {}

  Trace read() {
    chakra::GlobalMetadata metadata;
    if (!next(metadata)) refuse("empty: expected a Chakra execution trace");
    for (chakra::Node node; next(node);) {
      if (!places_.try_emplace(node.id(), trace_.nodes.size()).second)
        refuse_node(node.id(), "is there twice: expected each id once");
      take(node);
    }
    resolve();
    sort_nodes(trace_);
    return std::move(trace_);
  }

 private:
  [[noreturn]] void refuse(const std::string& why) const { core::usage_error(trace_.file + ": " + why); }
  [[noreturn]] void refuse_node(std::uint64_t id, const std::string& why) const {
    refuse(fmt::format("node {} {}", id, why));
  }

  /// False at the end.
  template <class Message>
  bool next(Message& message) {
    if (at_ == bytes_.size()) return false;
    const auto left = static_cast<int>(bytes_.size() - at_);
    google::protobuf::io::CodedInputStream stream(reinterpret_cast<const std::uint8_t*>(bytes_.data()) + at_,
                                                  left);  // NOLINT(*reinterpret-cast)
    std::uint32_t length = 0;
    const bool has_length = stream.ReadVarint32(&length);
    const auto begin = at_ + static_cast<std::size_t>(stream.CurrentPosition());
    if (!has_length || length > bytes_.size() - begin)
      refuse(fmt::format("byte {}: the message there is cut short: expected a whole trace", at_));
    const google::protobuf::LogSilencer one_line_is_enough;
    if (!message.ParseFromArray(bytes_.data() + begin, static_cast<int>(length)))
      refuse(fmt::format("byte {}: not a message of a Chakra execution trace", at_));
    at_ = begin + length;
    return true;
  }

  static const chakra::Attribute* attribute(const chakra::Node& node, const char* name) {
    for (const chakra::Attribute& one : node.attr())
      if (one.name() == name) return &one;
    return nullptr;
  }

  /// Of any type of whole number.
  static std::optional<double> number(const chakra::Attribute* attribute) {
    if (attribute == nullptr) return std::nullopt;
    switch (attribute->value_case()) {
      case chakra::Attribute::kInt32Val:
        return attribute->int32_val();
      case chakra::Attribute::kInt64Val:
        return static_cast<double>(attribute->int64_val());
      case chakra::Attribute::kUint32Val:
        return attribute->uint32_val();
      case chakra::Attribute::kUint64Val:
        return static_cast<double>(attribute->uint64_val());
      case chakra::Attribute::kSint32Val:
        return attribute->sint32_val();
      case chakra::Attribute::kSint64Val:
        return static_cast<double>(attribute->sint64_val());
      case chakra::Attribute::kFixed32Val:
        return attribute->fixed32_val();
      case chakra::Attribute::kFixed64Val:
        return static_cast<double>(attribute->fixed64_val());
      case chakra::Attribute::kSfixed32Val:
        return attribute->sfixed32_val();
      case chakra::Attribute::kSfixed64Val:
        return static_cast<double>(attribute->sfixed64_val());
      case chakra::Attribute::kBoolVal:
        return attribute->bool_val() ? 1 : 0;
      default:
        return std::nullopt;
    }
  }

  static bool is_size(double bytes) { return bytes >= 1 && bytes <= most_bytes; }

  static bool on_cpu(const chakra::Node& message) {
    return number(attribute(message, "is_cpu_op")).value_or(0) != 0;
  }

  void take(const chakra::Node& message) {
    TraceNode node{.id = message.id(), .start_us = message.start_time_micros()};
    if (!(static_cast<double>(message.duration_micros()) <= most_us))
      refuse_node(node.id, "has no duration of at most 1e15 us");
    if (message.type() == collective_node)
      take_collective(message, node);
    else if (message.type() == send_node || message.type() == receive_node)
      take_message(message, node);
    else if (message.type() == compute_node && !on_cpu(message))
      node.compute_s = 1e-6 * static_cast<double>(message.duration_micros());
    trace_.nodes.push_back(std::move(node));
    parents_.emplace_back(message.data_deps().begin(), message.data_deps().end());
  }

  /// A side of a message; writers of traces often leave out who has the other.
  void take_message(const chakra::Node& message, TraceNode& node) {
    const bool is_send = message.type() == send_node;
    const std::optional<double> bytes = number(attribute(message, "comm_size")),
                                peer = number(attribute(message, is_send ? "comm_dst" : "comm_src"));
    if (!bytes && on_cpu(message)) return;  // starts one that is a node of its own
    if (!bytes || !is_size(*bytes)) {
      ++trace_.left_out;
      return;
    }
    node.side = is_send ? Side::sends : Side::receives;
    node.bytes = *bytes;
    if (peer && *peer >= 0 && *peer <= most_rank) node.peer = static_cast<std::int64_t>(*peer);
  }

  void take_collective(const chakra::Node& message, TraceNode& node) {
    const std::optional<double> kind = number(attribute(message, "comm_type")),
                                bytes = number(attribute(message, "comm_size"));
    if (!kind && on_cpu(message)) return;  // starts one that is a node of its own
    if (!kind || *kind < 0 || *kind >= static_cast<double>(collectives.size()))
      refuse_node(node.id, "is a collective without a known comm_type");
    node.traffic = collectives[static_cast<std::size_t>(*kind)];
    if (node.traffic == Traffic::none) {
      ++trace_.left_out;
      return;
    }
    if (!bytes || !is_size(*bytes)) refuse_node(node.id, "is a collective without a comm_size of 1 to 1e15");
    node.bytes = *bytes;
    const chakra::Attribute* const group = attribute(message, "pg_name");
    if (group == nullptr) return;
    node.group = group->value_case() == chakra::Attribute::kStringVal
                     ? group->string_val()
                     : fmt::format("{:.0f}", number(group).value_or(0));
  }

  void resolve() {
    for (std::size_t at = 0; at < parents_.size(); ++at) {
      std::vector<std::size_t>& before = trace_.nodes[at].before;
      for (const std::uint64_t parent : parents_[at]) {
        const auto place = places_.find(parent);
        if (place == places_.end())
          refuse_node(
              trace_.nodes[at].id,
              fmt::format("depends on node {}, which is missing: expected every node that others wait for",
                          parent));
        before.push_back(place->second);
      }
      std::ranges::sort(before);
      before.erase(std::unique(before.begin(), before.end()), before.end());
    }
  }

  std::string bytes_;
  std::size_t at_ = 0;
  Trace trace_;
  std::map<std::uint64_t, std::size_t> places_;
  std::vector<std::vector<std::uint64_t>> parents_;  // of each node
};

}  // namespace

Trace read_trace(const std::string& file) { return TraceReader(file).read(); }

}  // namespace assay::model::workload
