// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "harness/training/step_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <sstream>

#include "harness/core/files/whole_file.hpp"
#include "harness/core/text/json_text.hpp"

namespace assay::training {
namespace {

nlohmann::json operation_json(const StepOperation& one, const std::string& matrix) {
  nlohmann::json json = {{"name", one.name}, {"times", std::llround(one.times)}};
  if (one.traffic == Traffic::none) {
    json["compute_us"] = 1e6 * one.compute_s;
    if (!one.groups.empty()) json["on"] = one.groups;
    return json;
  }
  json[is_pattern(one.traffic) ? "pattern" : "collective"] = traffic_words.of(one.traffic);
  if (!one.among.empty()) json["among"] = one.among;
  const std::vector<std::string> groups = group_texts(one.groups);
  json["groups"] = groups.size() == 1 ? nlohmann::json(groups.front()) : nlohmann::json(groups);
  if (one.matrix)
    json["matrix"] = matrix;
  else
    json["bytes"] = fmt::format("{}B", std::max(1LL, std::llround(one.bytes)));
  return json;
}

/// A matrix's file, written once however many operations have it.
class MatrixFiles {
 public:
  explicit MatrixFiles(const std::string& file) : stem_(file) { stem_.replace_extension(); }

  std::string name_of(const StepOperation& one) {
    if (!one.matrix) return {};
    const auto known = std::ranges::find(written_, one.matrix);
    const auto number = static_cast<std::size_t>(known - written_.begin()) + 1;
    const std::string file = fmt::format("{}-matrix{}.csv", stem_.string(), number);
    if (known == written_.end()) {
      written_.push_back(one.matrix);
      core::write_whole_file(file, text_of(*one.matrix));
    }
    return std::filesystem::path(file).filename();
  }

 private:
  static std::string text_of(const BytesMatrix& matrix) {
    std::string text;
    for (const std::vector<std::uint64_t>& row : matrix) {
      for (std::size_t at = 0; at < row.size(); ++at) text += fmt::format("{}{}", at > 0 ? "," : "", row[at]);
      text += "\n";
    }
    return text;
  }

  std::filesystem::path stem_;
  std::vector<std::shared_ptr<const BytesMatrix>> written_;
};

/// Strings, numbers and lists of strings are written as JSON writes them, which TOML reads.
std::string key_lines(const nlohmann::json& object) {
  std::string lines;
  for (const auto& [key, value] : object.items())
    if (!value.is_array() || (!value.empty() && value.front().is_string()))
      lines += fmt::format("{} = {}\n", key, core::ascii_json_text(value));
  return lines;
}

nlohmann::json json_of(const TrainingStep& step, MatrixFiles* files) {
  nlohmann::json json = {{"name", step.name},
                         {"ranks", step.ranks},
                         {"processor_usage", step.processor_usage},
                         {"stream", nlohmann::json::array()}};
  for (const StepStream& stream : step.streams) {
    nlohmann::json& one = json["stream"].emplace_back(nlohmann::json{{"name", stream.name}});
    if (!stream.after.empty()) one["after"] = stream.after;
    for (const StepOperation& operation : stream.operations)
      one["op"].push_back(
          operation_json(operation, files == nullptr ? std::string() : files->name_of(operation)));
  }
  return json;
}

}  // namespace

std::vector<std::string> group_texts(const std::string& groups) {
  std::istringstream words(groups);
  return {std::istream_iterator<std::string>(words), {}};
}

nlohmann::json to_json(const TrainingStep& step) { return json_of(step, nullptr); }

void write_step(const TrainingStep& step, const std::string& file) {
  MatrixFiles files(file);
  const nlohmann::json json = json_of(step, &files);
  std::string text = key_lines(json);
  for (const nlohmann::json& stream : json["stream"]) {
    text += "\n[[stream]]\n" + key_lines(stream);
    for (const nlohmann::json& one : stream["op"]) text += "[[stream.op]]\n" + key_lines(one);
  }
  core::write_whole_file(file, text);
}

}  // namespace assay::training
