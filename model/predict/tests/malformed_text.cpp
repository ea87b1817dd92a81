// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "model/predict/tests/malformed_text.hpp"

#include <fmt/format.h>

#include <array>
#include <nlohmann/json.hpp>
#include <random>

#include "harness/core/text/json_from.hpp"

namespace assay::model::tests {
namespace {

using nlohmann::json;
using Random = std::mt19937_64;

std::string nested(std::size_t levels, char open, char close) {
  return std::string(levels, open) + std::string(levels, close);
}

/// Not all of them are JSON.
constexpr auto short_values = std::to_array<const char*>({"null",
                                                          "true",
                                                          "[]",
                                                          "{}",
                                                          "\"\"",
                                                          "\"x\"",
                                                          "0",
                                                          "-0",
                                                          "-1",
                                                          "0.5",
                                                          "1e9",
                                                          "1000000001",
                                                          "9223372036854775808",
                                                          "18446744073709551616",
                                                          "1e308",
                                                          "-1e308",
                                                          "5e-324",
                                                          "1e999",
                                                          "NaN",
                                                          "Infinity",
                                                          "-Infinity",
                                                          "\"NaN\"",
                                                          "[[[1]]]",
                                                          "{\"a\":{\"b\":{}}}",
                                                          "[null]",
                                                          "[[]]",
                                                          "\"\\u0000\"",
                                                          "\"\\ud800\"",
                                                          "'x'",
                                                          "undefined",
                                                          "0x10",
                                                          "01",
                                                          "1.",
                                                          "+1"});

/// For the place of any value, as text.
std::vector<std::string> odd_values() {
  std::vector<std::string> all(short_values.begin(), short_values.end());
  all.push_back(nested(100'000, '[', ']'));
  all.push_back(std::string(100'000, '['));
  all.push_back("\"" + std::string(100'000, 'x') + "\"");
  all.push_back("\"" + std::string(1'000, '\xfe') + "\"");
  all.push_back("\"\x1b[2J\x07\"");
  all.push_back(std::string(1'000, '9'));
  return all;
}

/// Every place of a tree, the root too.
std::vector<json::json_pointer> places_of(const json& tree) {
  std::vector<json::json_pointer> all = {json::json_pointer()};
  const json flat = tree.flatten();
  for (const auto& [name, value] : flat.items())
    for (json::json_pointer place(name); !place.empty(); place = place.parent_pointer()) all.push_back(place);
  return all;
}

class Mutation {
 public:
  Mutation(const std::string& text, std::uint64_t seed)
      : text_(text),
        tree_(core::json_from<json>(text)),
        places_(places_of(tree_)),
        odd_(odd_values()),
        random_(seed) {}

  MalformedText next() {
    constexpr std::array ways = {&Mutation::truncated, &Mutation::flipped,  &Mutation::inserted,
                                 &Mutation::replaced,  &Mutation::removed,  &Mutation::doubled,
                                 &Mutation::renamed,   &Mutation::replaced, &Mutation::wrapped};
    return (this->*ways[below(ways.size())])();
  }

 private:
  std::size_t below(std::size_t bound) { return static_cast<std::size_t>(random_() % bound); }
  const json::json_pointer& place() { return places_[below(places_.size())]; }

  MalformedText truncated() {
    const std::size_t at = below(text_.size());
    return {fmt::format("cut off at {}", at), text_.substr(0, at)};
  }
  MalformedText flipped() {
    std::string text = text_;
    const std::size_t at = below(text.size()), bit = below(8);
    text[at] = static_cast<char>(static_cast<unsigned char>(text[at]) ^ (1U << bit));
    return {fmt::format("bit {} of byte {} flipped", bit, at), text};
  }
  MalformedText inserted() {
    const std::array<std::string, 8> odd = {
        std::string(1, '\0'), "\xff", "\xEF\xBB\xBF", "\r\n", "\x1b[31m", "/* x */", ",", "\""};
    const std::size_t at = below(text_.size() + 1), which = below(odd.size());
    return {fmt::format("odd bytes {} put in at {}", which, at),
            text_.substr(0, at) + odd[which] + text_.substr(at)};
  }
  /// The value is put in as text, as some are no JSON.
  MalformedText replaced() {
    const std::string mark = "a mark that stands nowhere else";
    json tree = tree_;
    const json::json_pointer at = place();
    tree[at] = mark;
    std::string text = tree.dump();
    const std::size_t which = below(odd_.size());
    const std::string quoted = json(mark).dump();
    text.replace(text.find(quoted), quoted.size(), odd_[which]);
    return {fmt::format("odd value {} at '{}'", which, at.to_string()), text};
  }
  MalformedText removed() {
    json tree = tree_;
    const json::json_pointer at = place();
    if (!at.empty()) {
      json& parent = tree[at.parent_pointer()];
      if (parent.is_object())
        parent.erase(at.back());
      else
        parent.erase(std::stoul(at.back()));
    }
    return {fmt::format("'{}' removed", at.to_string()), tree.dump()};
  }
  MalformedText doubled() {
    std::vector<std::size_t> opened;
    for (std::size_t at = text_.find('{'); at != std::string::npos; at = text_.find('{', at + 1))
      opened.push_back(at + 1);
    const std::size_t at = opened[below(opened.size())];
    const std::size_t begin = text_.find('"', at), end = text_.find('"', begin + 1) + 1;
    return {fmt::format("a key doubled at {}", at),
            text_.substr(0, at) + text_.substr(begin, end - begin) + ": 1, " + text_.substr(at)};
  }
  MalformedText renamed() {
    const std::array<std::string, 4> names = {std::string(200'000, 'k'), std::string(300, '\n'), "",
                                              "\xc2\x9b"};
    json tree = tree_;
    const json::json_pointer at = place();
    if (at.empty() || !tree[at.parent_pointer()].is_object()) return removed();
    json& parent = tree[at.parent_pointer()];
    json value = parent[at.back()];
    parent.erase(at.back());
    parent[names[below(names.size())]] = std::move(value);
    return {fmt::format("'{}' under another name", at.to_string()), tree.dump()};
  }
  MalformedText wrapped() {
    const std::size_t levels = 1 + below(200);
    return {fmt::format("inside {} lists", levels),
            std::string(levels, '[') + text_ + std::string(levels, ']')};
  }

  const std::string& text_;
  json tree_;
  std::vector<json::json_pointer> places_;
  std::vector<std::string> odd_;
  Random random_;
};

}  // namespace

std::vector<MalformedText> malformed(const std::string& text, std::size_t count, std::uint64_t seed) {
  Mutation mutation(text, seed);
  std::vector<MalformedText> all;
  while (all.size() < count) all.push_back(mutation.next());
  return all;
}

}  // namespace assay::model::tests
