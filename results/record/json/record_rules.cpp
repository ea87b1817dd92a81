// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "results/record/json/record_rules.hpp"

#include <nlohmann/json.hpp>
#include <set>
#include <vector>

namespace assay::results {
namespace {

/// Looks at keys, and at nothing else.
class UniqueKeys : public nlohmann::json_sax<nlohmann::json> {
 public:
  bool null() override { return true; }
  bool boolean(bool) override { return true; }
  bool number_integer(number_integer_t) override { return true; }
  bool number_unsigned(number_unsigned_t) override { return true; }
  bool number_float(number_float_t, const string_t&) override { return true; }
  bool string(string_t&) override { return true; }
  bool binary(binary_t&) override { return true; }
  bool start_array(std::size_t) override { return true; }
  bool end_array() override { return true; }
  bool parse_error(std::size_t, const std::string&, const nlohmann::json::exception&) override {
    return false;
  }
  bool start_object(std::size_t) override {
    objects_.emplace_back();
    return true;
  }
  bool end_object() override {
    objects_.pop_back();
    return true;
  }
  bool key(string_t& name) override {
    if (!objects_.back().insert(name).second) twice_ = name;
    return twice_.empty();
  }

  const std::string& twice() const { return twice_; }

 private:
  std::vector<std::set<std::string>> objects_;
  std::string twice_;
};

}  // namespace

bool key_agrees(std::string_view key, std::string_view axis, std::string_view value) {
  for (std::size_t at = 0; at < key.size();) {
    const std::string_view rest = key.substr(at);
    if (rest.size() > axis.size() && rest.starts_with(axis) && rest[axis.size()] == '=') {
      const std::string_view said = rest.substr(axis.size() + 1);
      return said.starts_with(value) && (said.size() == value.size() || said[value.size()] == ',');
    }
    const std::size_t comma = key.find(',', at);
    if (comma == std::string_view::npos) return true;
    at = comma + 1;
  }
  return true;
}

std::string axis_denied_by_key(std::string_view key, const Fields& axes) {
  for (const auto& [axis, value] : axes) {
    const auto* const integer = std::get_if<std::int64_t>(&value);
    const auto* const text = std::get_if<std::string>(&value);
    if (!integer && !text) continue;
    const std::string said = integer ? std::to_string(*integer) : *text;
    if (!key_agrees(key, axis, said)) return axis + "=" + said;
  }
  return "";
}

void require_unique_keys(std::string_view json) {
  UniqueKeys keys;
  nlohmann::json::sax_parse(json, &keys);
  if (!keys.twice().empty()) throw key_twice(keys.twice());
}

std::runtime_error key_twice(std::string_view key) {
  return std::runtime_error("key '" + std::string(key.substr(0, 60)) + "' is there twice");
}

}  // namespace assay::results
