// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "harness/core/describe/toml_fields.hpp"
#include "harness/training/step_file.hpp"
#include "harness/training/workload_sections.hpp"

namespace assay::training {
namespace {

class StepReader {
 public:
  TrainingStep read(const core::TomlSection& root) {
    for (const char* key : {"job", "predicted"})
      if (root.has(key)) root.refuse(key, "of fabrics alone: expected the streams of one step");
    StepKeys keys;
    core::read_fields(root, keys, {"name", "stream", "order"});
    note_unused(root, "order");
    step_.name = root.word("name").value_or(root.source().file);
    step_.ranks = keys.ranks;
    step_.processor_usage = keys.processor_usage;
    const std::vector<StreamSection> streams = read_streams(root);
    if (streams.size() > most_streams)
      root.refuse("stream", fmt::format("{} streams: expected at most {}", streams.size(), most_streams));
    for (const std::size_t at : order_of(streams)) {
      StepStream& stream = step_.streams.emplace_back(StepStream{.name = streams[at].name});
      for (const std::size_t before : streams[at].after) stream.after.push_back(streams[before].name);
      for (const core::TomlSection& one : streams[at].operations)
        stream.operations.push_back(operation_of(one));
    }
    return std::move(step_);
  }

 private:
  /// Once a key.
  void note_unused(const core::TomlSection& section, const std::string& key) {
    if (!section.has(key) || std::ranges::find(noted_, key) != noted_.end()) return;
    noted_.push_back(key);
    step_.unused.push_back(section.where(key) + ": not used: it is of fabrics alone");
  }

  StepOperation operation_of(const core::TomlSection& section) {
    const OperationKeys keys = read_operation_keys(section, step_.ranks);
    StepOperation one{.name = keys.name,
                      .compute_s = keys.compute_us.value_or(0) / 1e6,
                      .among = keys.among,
                      .groups = keys.on,
                      .bytes = static_cast<double>(keys.bytes),
                      .times = static_cast<double>(keys.times),
                      .matrix = keys.matrix};
    if (keys.compute_us) return one;
    one.traffic = traffic_of(section, keys);
    one.groups = fmt::format("{}", fmt::join(keys.group_texts, " "));
    for (const char* key : {"algorithm", "across", "seed"}) note_unused(section, key);
    return one;
  }

  static Traffic traffic_of(const core::TomlSection& section, const OperationKeys& keys) {
    if (!keys.distribution.empty())
      section.refuse("distribution", "of fabrics alone: expected matrix, a CSV file");
    if (!keys.collective.empty()) return *traffic_words.named(keys.collective);
    const auto pattern = traffic_words.named(keys.pattern);
    if (!pattern || !(is_pattern(*pattern) || *pattern == Traffic::all_to_all))
      section.refuse(
          "pattern",
          fmt::format("'{}' is of fabrics alone: expected pipeline, shift or all_to_all", keys.pattern));
    if (keys.by.value_or(1) != 1)
      section.refuse("by", fmt::format("a shift by {} is of fabrics alone: expected 1", *keys.by));
    return *pattern;
  }

  TrainingStep step_;
  std::vector<std::string> noted_;
};

}  // namespace

TrainingStep read_step(const std::string& file) {
  core::TomlFile toml = core::read_toml(file, "a workload in TOML");
  toml.source = finite_source(file);
  return StepReader().read(toml.root());
}

}  // namespace assay::training
