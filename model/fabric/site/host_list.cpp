// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "model/fabric/site/host_list.hpp"

#include <charconv>

#include "harness/core/error.hpp"

namespace assay::model::fabric::site {

namespace {

constexpr std::size_t longest_name = 253;  // characters of a DNS name (RFC 1035)

[[noreturn]] void refuse_length(const std::string& where) {
  core::usage_error(where + ": the list has more than " + std::to_string(most_host_names) + " names");
}

/// At commas outside brackets.
std::vector<std::string> split_list(const std::string& list, const std::string& where) {
  std::vector<std::string> parts(1);
  bool inside = false;
  for (const char one : list) {
    if ((one == '[') == inside && (one == '[' || one == ']'))
      core::usage_error(where + ": the brackets of '" + list + "' do not match");
    if (one == '[' || one == ']') inside = one == '[';
    if (one == ',' && !inside)
      parts.emplace_back();
    else
      parts.back() += one;
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
      for (const std::string& range : split_list(part.substr(at + 1, close - at - 1), where)) {
        add_range(middles, range, where);
        if (middles.size() > most_host_names) refuse_length(where);
      }
      at = close + 1;
    }
    if (names.size() * middles.size() > most_host_names) refuse_length(where);
    if (names.back().size() + middles.back().size() > longest_name)
      core::usage_error(where + ": expected names of at most " + std::to_string(longest_name) +
                        " characters, got one that begins with '" +
                        (names.back() + middles.back()).substr(0, 20) + "'");
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
  for (const std::string& part : split_list(list, where)) {
    if (part.empty()) core::usage_error(where + ": '" + list + "' has an empty name");
    for (std::string& name : expand_part(part, where)) all.push_back(std::move(name));
    if (all.size() > most_host_names) refuse_length(where);
  }
  return all;
}

}  // namespace assay::model::fabric::site
