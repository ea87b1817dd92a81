// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "model/search/system_file.hpp"

#include <fmt/format.h>

#include <cmath>

#include "harness/core/error.hpp"
#include "harness/core/text/json_from.hpp"
#include "harness/core/text/json_text.hpp"
#include "model/predict/answer/system_source.hpp"
#include "model/predict/read/read.hpp"

namespace assay::model {
namespace {

/// "networks[0].size" as "/networks/0/size"; empty where it has not that form.
std::string pointer_text(const std::string& key) {
  constexpr auto allowed = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_.[]";
  if (key.empty() || key.find_first_not_of(allowed) != std::string::npos) return {};
  std::string pointer = "/";
  for (const char letter : key) {
    if (letter == ']') continue;
    pointer += letter == '.' || letter == '[' ? '/' : letter;
  }
  return pointer;
}

/// A count stays a whole number, as readers of sizes expect.
nlohmann::json number_of(double value) {
  if (value == std::floor(value) && std::fabs(value) < 1e15) return static_cast<std::int64_t>(value);
  return value;
}

/// Words need no quotes.
nlohmann::json value_of(const std::string& text) {
  nlohmann::json value = core::json_or_discarded<nlohmann::json>(text);
  return value.is_discarded() ? nlohmann::json(text) : value;
}

bool same_kind(const nlohmann::json& left, const nlohmann::json& right) {
  return left.is_number() ? right.is_number() : left.type() == right.type();
}

}  // namespace

SystemFile SystemFile::read(const std::string& path, const ReadOptions& options) {
  return read(JsonSource{path}, options);
}

SystemFile SystemFile::read(const JsonSource& source, const ReadOptions& options) {
  SystemSource read = read_system_source(source, options);
  return {std::move(read.system), source.name, std::move(read.options)};
}

bool SystemFile::has(const std::string& key) const {
  const std::string pointer = pointer_text(key);
  try {
    return !pointer.empty() && json_.contains(nlohmann::json::json_pointer(pointer));
  } catch (const nlohmann::json::exception&) {  // an index beyond 64 bits
    return false;
  }
}

const nlohmann::json& SystemFile::place(const std::string& key) const {
  if (!has(key)) core::usage_error(fmt::format("{}: {}: there is no such key", name_, key));
  return json_.at(nlohmann::json::json_pointer(pointer_text(key)));
}

double SystemFile::number(const std::string& key) const {
  const nlohmann::json& value = place(key);
  if (!value.is_number()) core::usage_error(fmt::format("{}: {}: expected a number", name_, key));
  return value.get<double>();
}

void SystemFile::set(const std::string& key, double value) {
  number(key);
  json_.at(nlohmann::json::json_pointer(pointer_text(key))) = number_of(value);
}

void SystemFile::set(const std::string& assignment) {
  const std::size_t equals = assignment.find('=');
  if (equals == std::string::npos)
    core::usage_error(fmt::format("--set {}: expected KEY=VALUE, like networks[0].size=16", assignment));
  const std::string key = assignment.substr(0, equals);
  const nlohmann::json& value = place(key);
  if (value.is_structured())
    core::usage_error(fmt::format("--set {}: expected the key of a single value of {}", assignment, name_));
  nlohmann::json wanted = value_of(assignment.substr(equals + 1));
  if (!same_kind(value, wanted))
    core::usage_error(
        fmt::format("--set {}: expected a value like the one there, {}", assignment, core::json_text(value)));
  json_.at(nlohmann::json::json_pointer(pointer_text(key))) = std::move(wanted);
  // The interval was that of the number that was there.
  if (const auto stated = json_.find(intervals_key); stated != json_.end() && stated->is_object())
    stated->erase(key);
}

System SystemFile::system() const { return read_system(json_, name_, options_.model); }

PricedSystem SystemFile::priced(const PricedTypes& types) const {
  PricedSystem priced = read_priced_system(json_, name_, options_, types);
  const auto type = static_cast<std::size_t>(types.all);
  for (const auto& [engine, has] : {std::pair("matrix", priced.system.matrix[type].has_value()),
                                    std::pair("vector", priced.system.vector[type].has_value())})
    if (!has)
      core::usage_error(fmt::format("{}: {}: expected the datatype '{}' in it, which was asked for", name_,
                                    engine, datatype_names[type]));
  return priced;
}

}  // namespace assay::model
