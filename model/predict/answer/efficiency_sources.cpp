// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "model/predict/answer/efficiency_sources.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <map>
#include <string_view>

#include "harness/core/printable.hpp"
#include "model/json/json_document.hpp"

namespace assay::model {
namespace {

/// The parts of the machine by the word for the source of their efficiency.
using PartsBySource = std::map<std::string, std::vector<std::string>, std::less<>>;

constexpr const char* of_command = "given here";
constexpr std::size_t shown_bytes = 200;

/// "matrix.bfloat16" of "matrix.bfloat16.gflops_efficiency"; "" of other keys.
std::string part_of(std::string_view key) {
  return key.ends_with("efficiency")
             ? core::printable(std::string(key.substr(0, key.rfind('.'))), shown_bytes)
             : "";
}

std::map<std::string, std::string> given_in(const std::vector<std::string>& settings) {
  std::map<std::string, std::string> given;
  for (const std::string& setting : settings)
    if (std::string part = part_of(std::string_view(setting).substr(0, setting.find('='))); !part.empty())
      given[part] = of_command;
  return given;
}

/// The word before the colon: "measured: bus bandwidth of ...".
std::string word_in(std::string_view source) {
  return core::printable(std::string(source.substr(0, source.find(':'))), shown_bytes);
}

PartsBySource parts_by_source(const JsonValue& root, const std::vector<std::string>& settings) {
  std::map<std::string, std::string> word_of = given_in(settings);
  if (const JsonValue sources = root.find("sources"); sources.found() && sources.is_object())
    for (const JsonValue source : sources)
      if (std::string part = part_of(source.key()); !part.empty() && source.is_string())
        word_of.try_emplace(part, word_in(source.get<std::string_view>()));
  PartsBySource parts;
  for (const auto& [part, word] : word_of) parts[word].push_back(part);
  return parts;
}

/// Words of the vocabulary first, in the order of their worth.
std::vector<std::string> words_in(const PartsBySource& parts) {
  constexpr std::array<std::string_view, 5> worth{of_command, "measured", "imported", "stated", "guessed"};
  std::vector<std::string> words;
  for (const std::string_view word : worth)
    if (parts.contains(word)) words.emplace_back(word);
  for (const auto& [word, ignored] : parts)
    if (std::find(worth.begin(), worth.end(), word) == worth.end()) words.push_back(word);
  return words;
}

}  // namespace

std::string efficiency_sources(const JsonSource& system, const std::vector<std::string>& settings,
                               const std::vector<std::string>& coefficients) {
  const JsonDocument document = read_document(system);
  const PartsBySource parts = parts_by_source(document.root(), settings);
  std::vector<std::string> texts;
  for (const std::string& word : words_in(parts))
    texts.push_back(fmt::format("{} {}", word, fmt::join(parts.at(word), ", ")));
  if (!document.root().find("sources").found())
    texts.emplace_back("the file does not say which were measured, imported or guessed");
  if (document.root().find("coefficients").found() || !coefficients.empty())
    texts.emplace_back("coefficients of assay fit where they cover a size");
  return fmt::format("Efficiencies of {}: {}.",
                     core::printable(std::filesystem::path(system.name).filename().string(), shown_bytes),
                     fmt::join(texts, "; "));
}

std::string with_sources(std::string answer, const std::string& line) {
  return answer.insert(std::min(answer.find('\n'), answer.size() - 1) + 1, line + "\n");
}

}  // namespace assay::model
