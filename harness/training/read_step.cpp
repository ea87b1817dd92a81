// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <initializer_list>

#include "harness/core/error.hpp"
#include "harness/core/text/toml_section.hpp"
#include "harness/core/units.hpp"
#include "harness/training/rank_groups.hpp"
#include "harness/training/step_file.hpp"

namespace assay::training {
namespace {

class StepReader {
 public:
  explicit StepReader(const std::string& file) : file_(file) {}

  TrainingStep read() {
    const toml::table root = core::read_toml(file_, "a workload in TOML").table;
    allow(root, {"name", "ranks", "processor_usage", "stream"});
    step_.name = word(root, "name", file_);
    step_.ranks = static_cast<std::uint32_t>(number(root, "ranks", 1, 1 << 24));
    step_.processor_usage = number(root, "processor_usage", 0, 1, 0);
    const std::vector<const toml::table*> streams = tables(root, "stream");
    if (streams.size() > most_streams)
      refuse(root, "stream", fmt::format("{} streams: expected at most {}", streams.size(), most_streams));
    for (const toml::table* table : streams) read_stream(*table);
    return std::move(step_);
  }

 private:
  [[noreturn]] void refuse(const toml::table& table, std::string_view key, const std::string& what) const {
    const toml::node* const node = table.get(key);
    const toml::source_region& at = node == nullptr ? table.source() : node->source();
    core::usage_error(
        fmt::format("{}:{}: {}: {}", file_, std::max<toml::source_index>(1, at.begin.line), key, what));
  }

  void allow(const toml::table& table, std::initializer_list<std::string_view> keys) const {
    for (const auto& [key, value] : table)
      if (std::ranges::find(keys, key.str()) == keys.end())
        refuse(table, key.str(), fmt::format("not of a step to run: expected {}", fmt::join(keys, ", ")));
  }

  std::string word(const toml::table& table, std::string_view key, const std::string& otherwise = {}) const {
    if (!table.contains(key)) return otherwise;
    const auto text = table[key].value_exact<std::string>();
    if (!text) refuse(table, key, "expected text");
    return *text;
  }

  /// Without a default it must be there.
  double number(const toml::table& table, std::string_view key, double least, double most,
                std::optional<double> otherwise = std::nullopt) const {
    if (!table.contains(key) && otherwise) return *otherwise;
    const auto value = table[key].value<double>();
    if (!value || !(*value >= least && *value <= most))
      refuse(table, key, fmt::format("expected a number from {} to {}", least, most));
    return *value;
  }

  std::vector<std::string> words(const toml::table& table, std::string_view key) const {
    const toml::array* const list = table[key].as_array();
    if (list == nullptr) {
      std::string one = word(table, key);
      return one.empty() ? std::vector<std::string>() : std::vector{std::move(one)};
    }
    std::vector<std::string> all;
    for (const toml::node& one : *list) {
      if (!one.is_string()) refuse(table, key, "expected a list of texts");
      all.push_back(one.as_string()->get());
    }
    return all;
  }

  std::vector<const toml::table*> tables(const toml::table& table, std::string_view key) const {
    const toml::array* const list = table[key].as_array();
    std::vector<const toml::table*> all;
    if (list != nullptr)
      for (const toml::node& one : *list)
        if (one.is_table()) all.push_back(one.as_table());
    if (all.empty() || all.size() != list->size()) refuse(table, key, "expected tables");
    return all;
  }

  void read_stream(const toml::table& table) {
    allow(table, {"name", "after", "op"});
    StepStream stream{.name = word(table, "name", fmt::format("stream {}", step_.streams.size() + 1)),
                      .after = words(table, "after")};
    if (find(stream.name) != step_.streams.end())
      refuse(table, "name", fmt::format("two streams are named '{}'", stream.name));
    for (const std::string& name : stream.after)
      if (find(name) == step_.streams.end())
        refuse(table, "after", fmt::format("there is no earlier stream '{}'", name));
    for (const toml::table* one : tables(table, "op")) stream.operations.push_back(operation_of(*one));
    step_.streams.push_back(std::move(stream));
  }

  std::vector<StepStream>::const_iterator find(const std::string& name) const {
    return std::ranges::find(std::as_const(step_.streams), name, &StepStream::name);
  }

  StepOperation operation_of(const toml::table& table) const {
    allow(table, {"name", "among", "collective", "pattern", "compute_us", "on", "groups", "bytes", "matrix",
                  "times"});
    StepOperation one{.name = word(table, "name"),
                      .among = word(table, "among"),
                      .times = std::floor(number(table, "times", 1, 1e9, 1))};
    if (table.contains("compute_us")) {
      one.compute_s = number(table, "compute_us", 0, 1e15) / 1e6;
      take_ranks(table, one);
      return one;
    }
    if (table.contains("on")) refuse(table, "on", "expected of compute only");
    const char* const key = table.contains("pattern") ? "pattern" : "collective";
    const auto traffic = traffic_words.named(word(table, key));
    if (!traffic || *traffic == Traffic::none)
      refuse(table, key,
             fmt::format("expected compute_us or one of {}", fmt::join(traffic_words.words, ", ")));
    one.traffic = *traffic;
    take_groups(table, one);
    take_bytes(table, one);
    return one;
  }

  void take_ranks(const toml::table& table, StepOperation& one) const {
    one.groups = word(table, "on");
    if (one.groups.empty()) return;
    try {
      listed_ranks(one.groups, step_.ranks);
    } catch (const core::Error& error) {
      refuse(table, "on", error.what());
    }
  }

  void take_groups(const toml::table& table, StepOperation& one) const {
    std::vector<std::string> texts = words(table, "groups");
    if (texts.empty()) texts = {fmt::format("0:{}", step_.ranks)};
    try {
      rank_groups(texts, step_.ranks);
    } catch (const core::Error& error) {
      refuse(table, "groups", error.what());
    }
    one.groups = fmt::format("{}", fmt::join(texts, " "));
  }

  void take_bytes(const toml::table& table, StepOperation& one) const {
    if (const std::string name = word(table, "matrix"); !name.empty()) {
      if (one.traffic != Traffic::all_to_all_v) refuse(table, "matrix", "expected of all_to_all_v only");
      const BytesMatrix matrix =
          read_bytes_matrix((std::filesystem::path(file_).parent_path() / name).string());
      one.bytes = static_cast<double>(most_sent(matrix));
      one.matrix = std::make_shared<const BytesMatrix>(matrix);
      return;
    }
    if (one.traffic == Traffic::all_to_all_v) refuse(table, "matrix", "missing: expected a CSV file");
    try {
      one.bytes = static_cast<double>(core::parse_bytes(word(table, "bytes")));
    } catch (const core::Error& error) {
      refuse(table, "bytes", error.what());
    }
  }

  const std::string& file_;
  TrainingStep step_;
};

}  // namespace

TrainingStep read_step(const std::string& file) { return StepReader(file).read(); }

}  // namespace assay::training
