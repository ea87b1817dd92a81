// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "model/fabric/site/host_list.hpp"

#include <charconv>

#include "harness/core/error.hpp"

namespace assay::model::fabric::site {

namespace {

constexpr std::size_t longest_name = 253;  // characters of a DNS name (RFC 1035)

[[noreturn]] void refuse_name(const std::string& name, const std::string& where) {
  core::usage_error(where + ": expected names of at most " + std::to_string(longest_name) +
                    " characters, got one that begins with '" + name.substr(0, 20) + "'");
}

[[noreturn]] void refuse_length(const std::string& where) {
  core::usage_error(where + ": the list has more than " + std::to_string(most_host_names) + " names");
}

struct Part {
  std::string text = {};
  bool is_name = false;  // which was in quotes: its brackets are letters
};

/// The name in the quotes that open at `at`, which moves behind them, to a comma or the end.
Part quoted_part(const std::string& list, std::size_t& at, const std::string& where) {
  Part part{.is_name = true};
  for (++at; at < list.size(); ++at) {
    const bool is_doubled = list[at] == '"' && at + 1 < list.size() && list[at + 1] == '"';
    if (list[at] == '"' && !is_doubled) break;
    at += is_doubled ? 1 : 0;
    part.text += list[at];
  }
  if (at >= list.size()) core::usage_error(where + ": the quotes of '" + list + "' do not match");
  ++at;
  if (at < list.size() && list[at] != ',')
    core::usage_error(where + ": expected a comma behind the quotes, got '" + list.substr(at, 20) + "'");
  if (part.text.size() > longest_name) refuse_name(part.text, where);
  return part;
}

/// At commas outside brackets and quotes.
std::vector<Part> split_list(const std::string& list, const std::string& where) {
  std::vector<Part> parts(1);
  bool inside = false;
  for (std::size_t at = 0; at < list.size(); ++at) {
    const char one = list[at];
    if (one == '"' && !inside && parts.back().text.empty() && !parts.back().is_name) {
      parts.back() = quoted_part(list, at, where);
      if (at < list.size()) parts.emplace_back();
      continue;
    }
    if ((one == '[') == inside && (one == '[' || one == ']'))
      core::usage_error(where + ": the brackets of '" + list + "' do not match");
    if (one == '[' || one == ']') inside = one == '[';
    if (one == ',' && !inside)
      parts.emplace_back();
    else
      parts.back().text += one;
  }
  if (inside) core::usage_error(where + ": the brackets of '" + list + "' do not match");
  return parts;
}

std::uint32_t number_of(const std::string& text, const std::string& where) {
  std::uint32_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || end != text.data() + text.size() || text.size() > 9)
    core::usage_error(where + ": expected a number or a range such as 0-5, got '" + text + "'");
  return number;
}

/// "08-10": 08, 09, 10.
void add_range(std::vector<std::string>& numbers, const std::string& range, const std::string& where) {
  const std::size_t dash = std::min(range.find('-'), range.size());
  const std::string first = range.substr(0, dash);
  const std::uint32_t from = number_of(first, where);
  const std::uint32_t to = dash == range.size() ? from : number_of(range.substr(dash + 1), where);
  if (to < from) core::usage_error(where + ": expected a range that rises, got '" + range + "'");
  if (to - from >= most_host_names) refuse_length(where);
  for (std::uint32_t one = from; one <= to; ++one) {
    std::string digits = std::to_string(one);
    if (digits.size() < first.size()) digits.insert(0, first.size() - digits.size(), '0');
    numbers.push_back(std::move(digits));
  }
}

std::vector<std::string> expand_part(const std::string& part, const std::string& where) {
  std::vector<std::string> names = {""};
  for (std::size_t at = 0; at < part.size();) {
    std::vector<std::string> middles;
    const std::size_t open = std::min(part.find('[', at), part.size());
    if (open > at) {
      middles = {part.substr(at, open - at)};
      at = open;
    } else {
      const std::size_t close = part.find(']', at);
      for (const Part& range : split_list(part.substr(at + 1, close - at - 1), where)) {
        add_range(middles, range.text, where);
        if (middles.size() > most_host_names) refuse_length(where);
      }
      at = close + 1;
    }
    if (names.size() * middles.size() > most_host_names) refuse_length(where);
    if (names.back().size() + middles.back().size() > longest_name)
      refuse_name(names.back() + middles.back(), where);
    std::vector<std::string> longer;
    for (const std::string& name : names)
      for (const std::string& middle : middles) longer.push_back(name + middle);
    names = std::move(longer);
  }
  return names;
}

}  // namespace

std::vector<std::string> expand_host_list(const std::string& list, const std::string& where) {
  std::vector<std::string> all;
  for (Part& part : split_list(list, where)) {
    if (part.text.empty()) core::usage_error(where + ": '" + list + "' has an empty name");
    if (part.is_name)
      all.push_back(std::move(part.text));
    else
      for (std::string& name : expand_part(part.text, where)) all.push_back(std::move(name));
    if (all.size() > most_host_names) refuse_length(where);
  }
  return all;
}

std::string host_list_of(std::span<const std::string> names) {
  std::string list;
  for (const std::string& name : names) {
    if (!list.empty()) list += ',';
    if (name.find_first_of(",[]\"") == std::string::npos) {
      list += name;
      continue;
    }
    list += '"';
    for (const char one : name) list += one == '"' ? std::string(2, one) : std::string(1, one);
    list += '"';
  }
  return list;
}

}  // namespace assay::model::fabric::site
