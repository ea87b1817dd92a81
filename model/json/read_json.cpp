// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "model/json/read_json.hpp"

#include <fmt/format.h>

#include <set>
#include <vector>

#include "harness/core/error.hpp"
#include "model/json/read_text.hpp"

namespace assay::model {
namespace {

/// Where a parser is, "networks[1].size", and the keys that the objects around it have had.
class Place {
 public:
  void begin(bool is_list) { levels_.push_back({.is_list = is_list, .keys = {}, .key = {}}); }
  void end() {
    levels_.pop_back();
    count();
  }
  /// An element of a list is over.
  void count() {
    if (!levels_.empty() && levels_.back().is_list) ++levels_.back().index;
  }
  /// False where this object has had the key.
  bool enter(const std::string& key) {
    levels_.back().key = key;
    return levels_.back().keys.insert(key).second;
  }
  std::string text() const {
    std::string text;
    for (const Level& level : levels_)
      text += level.is_list ? fmt::format("[{}]", level.index) : (text.empty() ? "" : ".") + level.key;
    return text;
  }

 private:
  struct Level {
    bool is_list;
    std::size_t index = 0;
    std::set<std::string> keys;
    std::string key;
  };
  std::vector<Level> levels_;
};

/// Without the exception's name and number.
std::string reason(const nlohmann::json::exception& error) {
  const std::string text = error.what();
  const std::size_t begin = text.find("] ");
  return begin == std::string::npos ? text : text.substr(begin + 2);
}

template <class Json>
Json parsed(const std::string& text, const std::string& name) {
  Place place;
  const auto watch = [&](int, typename Json::parse_event_t event, Json& value) {
    using Event = typename Json::parse_event_t;
    if (event == Event::object_start || event == Event::array_start)
      place.begin(event == Event::array_start);
    else if (event == Event::object_end || event == Event::array_end)
      place.end();
    else if (event == Event::value)
      place.count();
    else if (!place.enter(value.template get<std::string>()))
      core::usage_error(fmt::format("{}: {}: this key stands twice, leave one", name, place.text()));
    return true;
  };
  try {
    return Json::parse(text, watch);
  } catch (const nlohmann::json::exception& error) {
    core::usage_error(fmt::format("{}: no JSON: {}", name, reason(error)));
  }
}

std::string text_of(const std::string& path, const std::string& expected) {
  std::string text = read_text(path, expected);
  if (text.empty()) core::usage_error(fmt::format("{}: is empty; expected {}", path, expected));
  return text;
}

}  // namespace

nlohmann::json read_json(const std::string& path, const std::string& expected) {
  return parsed<nlohmann::json>(text_of(path, expected), path);
}

nlohmann::ordered_json read_ordered_json(const std::string& path) {
  return parsed<nlohmann::ordered_json>(text_of(path, "a JSON file"), path);
}

nlohmann::json json_from(const std::string& text, const std::string& name) {
  return parsed<nlohmann::json>(text, name);
}

}  // namespace assay::model
