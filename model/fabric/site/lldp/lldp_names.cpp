// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "model/fabric/site/lldp/lldp_names.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <regex>

#include "harness/core/error.hpp"

namespace assay::model::fabric::site {

namespace {

constexpr std::size_t longest_tlv = 255;  // octets of a TLV's string (IEEE 802.1AB); std::regex recurses

/// Kinds of interfaces that vendors abbreviate; the first three letters differ.
constexpr std::array<std::string_view, 15> kinds = {"ethernet",
                                                    "gigabitethernet",
                                                    "gige",
                                                    "tengigabitethernet",
                                                    "tengige",
                                                    "twentyfivegigabitethernet",
                                                    "twentyfivegige",
                                                    "fortygigabitethernet",
                                                    "fortygige",
                                                    "fiftygige",
                                                    "hundredgigabitethernet",
                                                    "hundredgige",
                                                    "twohundredgige",
                                                    "fourhundredgige",
                                                    "eighthundredgige"};

std::string small_letters(std::string_view text) {
  std::string small;
  for (const char one : text) {
    const auto letter = static_cast<unsigned char>(one);
    if (std::isspace(letter) == 0) small += static_cast<char>(std::tolower(letter));
  }
  return small;
}

bool fits(std::string_view text, const std::regex& form) {
  return text.size() <= longest_tlv && std::regex_match(text.begin(), text.end(), form);
}

/// The longest beginning of `name`, up to a dot, that is among `known`; empty where there is none.
std::string known_beginning(std::string name, const std::map<std::string, std::string>& known) {
  for (std::size_t dot = name.rfind('.'); dot != std::string::npos; dot = name.rfind('.')) {
    name.resize(dot);
    if (known.contains(name)) return name;
  }
  return "";
}

}  // namespace

bool is_mac_address(std::string_view name) {
  static const std::regex form("[0-9a-fA-F]{2}([:-][0-9a-fA-F]{2}){5}|[0-9a-fA-F]{4}([.-][0-9a-fA-F]{4}){2}");
  return fits(name, form);
}

std::string plain_port(std::string_view name) {
  std::string plain = small_letters(name);
  if (is_mac_address(plain)) {
    std::erase_if(plain, [](unsigned char one) { return std::isxdigit(one) == 0; });
    return "mac " + plain;
  }
  const std::size_t letters = static_cast<std::size_t>(
      std::ranges::find_if(plain, [](unsigned char one) { return std::isalpha(one) == 0; }) - plain.begin());
  const bool has_number =
      letters < plain.size() && std::isdigit(static_cast<unsigned char>(plain[letters])) != 0;
  if (!has_number || letters == 0 || (letters == 1 && plain[0] != 'e')) return plain;
  const auto kind = std::ranges::find_if(kinds, [&](std::string_view one) {
    return one.starts_with(std::string_view(plain).substr(0, letters));
  });
  return kind == kinds.end() ? plain : std::string(kind->substr(0, 3)) + plain.substr(letters);
}

bool are_two_ports(std::string_view one, std::string_view other) {
  const auto without_numbers = [](std::string_view name) {
    std::string kind;
    for (const char digit : name)
      if (std::isdigit(static_cast<unsigned char>(digit)) == 0)
        kind += digit;
      else if (!kind.ends_with('#'))
        kind += '#';
    return kind;
  };
  const std::string here = plain_port(one), there = plain_port(other);
  if (here == there || is_mac_address(one) || is_mac_address(other)) return false;
  return without_numbers(here) == without_numbers(there);
}

PortNaming naming_of(std::string_view port) {
  static const std::regex adapter(
      "(eth|em|ib|hsn|bond|nic|usb)[0-9]+(\\.[0-9]+)?|(mlx[45]|bnxt_re|irdma|efa|rdma|roce|ibp|ibs|rocep|"
      "roces)_?[0-9].*|"
      "en[opsx][0-9a-z].*|en[0-9]+|p[0-9]+p[0-9]+.*",
      std::regex::icase);
  static const std::regex switch_port(
      "swp[0-9].*|ethernet[0-9]+|et[0-9]+|[^ ]*[0-9]/[0-9][^ ]*|[a-z]+ [0-9]+/[0-9].*", std::regex::icase);
  if (fits(port, switch_port)) return PortNaming::switch_port;
  return is_mac_address(port) || fits(port, adapter) ? PortNaming::adapter : PortNaming::unknown;
}

SystemNames::SystemNames(const std::vector<std::string>& names, const std::string& file) {
  std::map<std::string, std::string> spelled, longer;  // by name in small letters
  for (const std::string& name : names) spelled.try_emplace(small_letters(name), name);
  for (const auto& [small, name] : spelled) {
    const std::string beginning = known_beginning(small, spelled);
    if (beginning.empty()) continue;
    const auto [found, is_new] = longer.try_emplace(beginning, name);
    if (!is_new)
      core::usage_error(file + ": '" + spelled.at(beginning) + "' may be '" + found->second + "' or '" +
                        name + "': expected one name of each system");
  }
  for (const std::string& name : names) {
    std::string small = small_letters(name);
    if (system_.contains(small)) continue;
    for (std::string shorter = known_beginning(small, spelled); !shorter.empty();
         shorter = known_beginning(small, spelled))
      small = shorter;
    for (auto next = longer.end();; small = small_letters(next->second)) {
      system_.emplace(small, name);
      if (spelled.at(small) != name) merged_.push_back(spelled.at(small) + " is " + name);
      next = longer.find(small);
      if (next == longer.end()) break;
    }
  }
}

const std::string& SystemNames::of(const std::string& name) const { return system_.at(small_letters(name)); }

}  // namespace assay::model::fabric::site
