// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "harness/training/workload_sections.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string_view>

#include "harness/core/describe/toml_fields.hpp"
#include "harness/core/error.hpp"

namespace assay::training {
namespace {

constexpr std::array<std::string_view, 7> collectives = {
    "all_reduce", "all_gather", "reduce_scatter", "all_to_all", "all_to_all_v", "broadcast", "reduce"};

std::size_t stream_named(const core::TomlSection& section, const std::vector<StreamSection>& streams,
                         const std::string& name) {
  const auto found = std::ranges::find(streams, name, &StreamSection::name);
  if (found == streams.end()) section.refuse("after", fmt::format("there is no stream '{}'", name));
  return static_cast<std::size_t>(found - streams.begin());
}

std::vector<std::string_view> keys_of_operation(const core::TomlSection& section) {
  if (section.has("compute_us")) return {"name", "compute_us", "on", "times"};
  if (section.has("pattern")) return {"name", "among", "pattern", "groups", "bytes", "times", "by", "seed"};
  std::vector<std::string_view> keys = {"name",   "among", "collective", "algorithm",
                                        "groups", "bytes", "times"};
  if (section.word("collective") == "all_to_all_v")
    keys.insert(keys.end(), {"matrix", "distribution", "seed"});
  else
    keys.emplace_back("across");
  return keys;
}

void refuse_other_collective(const core::TomlSection& section, const OperationKeys& keys) {
  if (std::ranges::find(collectives, keys.collective) == collectives.end())
    section.refuse_choice("collective", keys.collective, collectives);
  if (keys.collective == "all_to_all_v" && keys.matrix_file.empty() == keys.distribution.empty())
    section.refuse("matrix", "expected either matrix, a CSV file, or distribution");
}

void take_bytes(const core::TomlSection& section, OperationKeys& keys) {
  if (keys.matrix_file.empty()) {
    const auto bytes = section.bytes("bytes");
    if (!bytes) section.missing("bytes", "a size with its unit, as \"256MiB\"");
    keys.bytes = *bytes;
    return;
  }
  for (const char* key : {"bytes", "seed"})
    if (section.has(key)) section.refuse(key, "expected only with a distribution: the matrix holds bytes");
  keys.matrix =
      std::make_shared<const BytesMatrix>(read_bytes_matrix(section.source().path_of(keys.matrix_file)));
  keys.bytes = most_sent(*keys.matrix);
  if (keys.bytes == 0) section.refuse("matrix", "no rank sends anything to another");
}

void take_groups(const core::TomlSection& section, std::uint32_t ranks, OperationKeys& keys) {
  if (keys.group_texts.empty()) keys.group_texts = {fmt::format("0:{}", ranks)};
  try {
    keys.groups = rank_groups(keys.group_texts, ranks);
  } catch (const core::Error& error) {
    section.refuse("groups", error.what());
  }
  for (const RankGroup& group : keys.groups)
    if (keys.matrix && keys.matrix->size() != group.size())
      section.refuse("matrix", fmt::format("of {} ranks for a group of {}: expected as many",
                                           keys.matrix->size(), group.size()));
}

/// The ranks that compute, as the only group.
void take_ranks(const core::TomlSection& section, std::uint32_t ranks, OperationKeys& keys) {
  try {
    keys.groups = {listed_ranks(keys.on, ranks)};
  } catch (const core::Error& error) {
    section.refuse("on", error.what());
  }
}

}  // namespace

core::TomlSource finite_source(const std::string& file, std::vector<core::ReplacedKey> replaced) {
  return {file, std::move(replaced), 1e-15, 1e15};
}

std::vector<std::size_t> order_of(const std::vector<StreamSection>& streams) {
  std::vector<std::size_t> order;
  std::vector<char> ended(streams.size());
  for (bool any = true; any;) {
    any = false;
    for (std::size_t at = 0; at < streams.size(); ++at) {
      const auto is_ended = [&](std::size_t before) { return ended[before] != 0; };
      if (ended[at] != 0 || !std::ranges::all_of(streams[at].after, is_ended)) continue;
      any = true;
      ended[at] = 1;
      order.push_back(at);
    }
  }
  return order;
}

std::vector<StreamSection> read_streams(const core::TomlSection& step) {
  const std::vector<core::TomlSection> sections = step.tables("stream");
  if (sections.empty()) step.missing("stream", "tables [[stream]]");
  std::vector<StreamSection> streams;
  for (const core::TomlSection& section : sections) {
    section.allow({"name", "after", "op"});
    StreamSection stream{.name = section.word("name").value_or(fmt::format("stream {}", streams.size() + 1)),
                         .operations = section.tables("op")};
    if (std::ranges::find(streams, stream.name, &StreamSection::name) != streams.end())
      section.refuse("name", fmt::format("two streams are named '{}'", stream.name));
    if (stream.operations.empty()) section.missing("op", "tables [[stream.op]]");
    streams.push_back(std::move(stream));
  }
  for (std::size_t at = 0; at < streams.size(); ++at)
    for (const std::string& name : sections[at].words("after").value_or(std::vector<std::string>()))
      streams[at].after.push_back(stream_named(sections[at], streams, name));
  const std::vector<std::size_t> order = order_of(streams);
  for (std::size_t at = 0; order.size() < streams.size(); ++at)
    if (std::ranges::find(order, at) == order.end())
      sections[at].refuse("after", "streams wait for one another in a circle: expected a first one");
  return streams;
}

OperationKeys read_operation_keys(const core::TomlSection& section, std::uint32_t ranks) {
  const int stated = static_cast<int>(section.has("compute_us")) +
                     static_cast<int>(section.has("collective")) + static_cast<int>(section.has("pattern"));
  if (stated != 1) section.refuse("collective", "expected one of collective, pattern and compute_us");
  section.allow(keys_of_operation(section));
  static constexpr auto rows = fields_of(core::Type<OperationKeys>());
  OperationKeys keys;
  core::read_rows(section, rows, keys);
  if (keys.compute_us) {
    if (!keys.on.empty()) take_ranks(section, ranks, keys);
    return keys;
  }
  if (!keys.collective.empty()) refuse_other_collective(section, keys);
  take_bytes(section, keys);
  take_groups(section, ranks, keys);
  return keys;
}

}  // namespace assay::training
