// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Messages with their length before each: GlobalMetadata, then nodes. Names are those of mlcommons/chakra,
// schema/protobuf/et_def.proto; comm_type, comm_size, comm_src, comm_dst, pg_name and is_cpu_op are
// attributes of nodes.
#include <chakra_trace.pb.h>
#include <fmt/format.h>
#include <google/protobuf/io/coded_stream.h>
#include <google/protobuf/stubs/logging.h>

#include <optional>

#include "harness/core/error.hpp"
#include "model/workload/chakra/trace_builder.hpp"

namespace assay::model::workload {
namespace {

class ProtobufTrace {
 public:
  ProtobufTrace(const std::string& file, std::string_view bytes)
      : file_(file), bytes_(bytes), builder_(file) {}

  Trace read() {
    chakra::GlobalMetadata metadata;
    if (!next(metadata)) refuse("empty: expected a Chakra execution trace");
    for (chakra::Node node; next(node);) builder_.add(stated(node));
    return builder_.finish();
  }

 private:
  [[noreturn]] void refuse(const std::string& why) const { core::usage_error(file_ + ": " + why); }

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

  /// The value of an attribute of any integer type.
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

  static StatedNode stated(const chakra::Node& message) {
    StatedNode node{.id = message.id(),
                    .name = message.name(),
                    .type = message.type(),
                    .data_deps = {message.data_deps().begin(), message.data_deps().end()},
                    .start_us = message.start_time_micros(),
                    .duration_us = static_cast<double>(message.duration_micros()),
                    .on_cpu = number(attribute(message, "is_cpu_op")).value_or(0) != 0,
                    .comm_type = number(attribute(message, "comm_type")),
                    .comm_size = number(attribute(message, "comm_size")),
                    .comm_src = number(attribute(message, "comm_src")),
                    .comm_dst = number(attribute(message, "comm_dst")),
                    .input_values = message.inputs().values()};
    if (const chakra::Attribute* const group = attribute(message, "pg_name"))
      node.group = group->value_case() == chakra::Attribute::kStringVal
                       ? group->string_val()
                       : fmt::format("{:.0f}", number(group).value_or(0));
    return node;
  }

  const std::string& file_;
  std::string_view bytes_;
  std::size_t at_ = 0;
  TraceBuilder builder_;
};

}  // namespace

Trace read_protobuf_trace(const std::string& file, std::string_view bytes) {
  return ProtobufTrace(file, bytes).read();
}

}  // namespace assay::model::workload
