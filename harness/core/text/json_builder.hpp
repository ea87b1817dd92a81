// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Builds an ordered_json from nlohmann's events in linear time: its own parser looks each key up among all
// before it, which takes a second for a megabyte of keys.
#pragma once

#include <iterator>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "harness/core/parse_limits.hpp"

namespace assay::core {

/// As nlohmann throws it; its context, which it does not use, is a pointer since 3.11.
template <class Error = nlohmann::json::parse_error>
Error parse_error_of(const std::string& what) {
  if constexpr (requires { Error::create(101, std::size_t{0}, what, nullptr); })
    return Error::create(101, std::size_t{0}, what, nullptr);
  else
    return Error::create(101, std::size_t{0}, what, nlohmann::json());
}

/// One type for all that its parser throws: a number beyond a double is an error of another one there.
inline nlohmann::json::parse_error as_parse_error(const nlohmann::json::exception& error) {
  if (const auto* of_text = dynamic_cast<const nlohmann::json::parse_error*>(&error)) return *of_text;
  const std::string said = error.what();
  const std::size_t prefix = said.find("] ");
  return parse_error_of(prefix == std::string::npos ? said : said.substr(prefix + 2));
}

class OrderedJsonBuilder : public nlohmann::json_sax<nlohmann::ordered_json> {
 public:
  using Json = nlohmann::ordered_json;

  bool null() override { return put(nullptr); }
  bool boolean(bool value) override { return put(value); }
  bool number_integer(number_integer_t value) override { return put(value); }
  bool number_unsigned(number_unsigned_t value) override { return put(value); }
  bool number_float(number_float_t value, const string_t&) override { return put(value); }
  bool string(string_t& value) override { return put(std::move(value)); }
  bool binary(binary_t& value) override { return put(std::move(value)); }  // never in text
  bool start_object(std::size_t) override { return open(Json::object()); }
  bool end_object() override { return close(); }
  bool start_array(std::size_t) override { return open(Json::array()); }
  bool end_array() override { return close(); }
  bool key(string_t& name) override {
    Open& object = open_.back();
    auto& members = object.value->get_ref<Json::object_t&>();
    if (Json* known = object.member(name)) {
      member_ = known;
      return key_again(name);
    }
    if (members.size() == ParseLimits::keys) throw std::runtime_error(too_many_keys());
    members.Json::object_t::Container::emplace_back(name, nullptr);
    object.remember(members.size() - 1);
    member_ = &members.back().second;
    return true;
  }
  bool parse_error(std::size_t, const std::string&, const nlohmann::json::exception& error) override {
    throw std::runtime_error(as_parse_error(error).what());
  }

  Json& document() { return document_; }

  static std::string too_many_levels() {
    return "more than " + std::to_string(ParseLimits::levels) + " levels of lists and objects";
  }
  static std::string too_many_keys() {
    return "an object has more than " + std::to_string(ParseLimits::keys) + " keys";
  }

 protected:
  /// A key that its object has already; the value that comes replaces the one before. False ends the parse.
  virtual bool key_again(const std::string&) { return true; }
  /// A value is complete: a scalar was placed, or a list or object was closed.
  virtual bool completed() { return true; }

  std::size_t depth() const { return open_.size(); }
  Json* innermost() { return open_.empty() ? nullptr : open_.back().value; }

 private:
  /// A list or object that has not ended. Small objects are searched; larger ones have an index.
  struct Open {
    static constexpr std::size_t searched = 16;

    Json* value;
    std::unordered_map<std::string, std::size_t> index = {};

    Json* member(const std::string& name) {
      auto& members = value->get_ref<Json::object_t&>();
      if (members.size() > searched) {
        const auto found = index.find(name);
        return found == index.end()
                   ? nullptr
                   : &std::next(members.begin(), static_cast<std::ptrdiff_t>(found->second))->second;
      }
      for (auto& [known, held] : members)
        if (known == name) return &held;
      return nullptr;
    }
    void remember(std::size_t last) {
      const auto& members = value->get_ref<Json::object_t&>();
      if (last < searched) return;
      for (std::size_t i = last == searched ? 0 : last; i <= last; ++i)
        index.emplace(std::next(members.begin(), static_cast<std::ptrdiff_t>(i))->first, i);
    }
  };

  Json& placed(Json value) {
    if (open_.empty()) return document_ = std::move(value);
    if (!open_.back().value->is_array()) return *member_ = std::move(value);
    open_.back().value->push_back(std::move(value));
    return open_.back().value->back();
  }
  bool put(Json value) {
    placed(std::move(value));
    return completed();
  }
  /// Its place does not move while it is open: what it is in gets nothing more until then.
  bool open(Json value) {
    if (open_.size() == ParseLimits::levels) throw std::runtime_error(too_many_levels());
    open_.push_back({&placed(std::move(value))});
    return true;
  }
  bool close() {
    open_.pop_back();
    return completed();
  }

  Json document_;
  std::vector<Open> open_;  // from the outermost
  Json* member_ = nullptr;  // of the innermost object, for the value that comes
};

}  // namespace assay::core
