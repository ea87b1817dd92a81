// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "harness/front/cli/like/foreign_flags.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <charconv>

#include "harness/core/error.hpp"
#include "harness/core/units.hpp"

namespace assay::cli {
namespace {

const ForeignFlag* flag_of(std::string_view word, std::span<const ForeignFlag> flags) {
  const auto found = std::ranges::find_if(
      flags, [&](const ForeignFlag& flag) { return word == flag.letter || word == flag.name; });
  return found == flags.end() ? nullptr : &*found;
}

/// The flag's name and what is joined to it: "-b8", "--minbytes=8".
std::pair<std::string, std::optional<std::string>> parted(const std::string& word,
                                                          std::span<const ForeignFlag> flags, Joined joined) {
  if (const std::size_t equals = word.find('='); equals != std::string::npos)
    return {word.substr(0, equals), word.substr(equals + 1)};
  const bool may_be_joined = joined == Joined::may_be && word.size() > 2 && word[1] != '-';
  const ForeignFlag* flag = may_be_joined ? flag_of(word.substr(0, 2), flags) : nullptr;
  if (flag != nullptr && flag->has_value && flag_of(word, flags) == nullptr)
    return {word.substr(0, 2), word.substr(2)};
  return {word, std::nullopt};
}

bool is_flag(const std::string& word) { return word.starts_with("-") && word != "-"; }

}  // namespace

std::optional<std::string> ForeignCommand::value(std::string_view flag) const {
  const auto found = given.find(flag);
  return found == given.end() ? std::nullopt : std::optional(found->second);
}

ForeignCommand read_foreign(std::span<const std::string> words, std::span<const ForeignFlag> flags,
                            Positional positional, Joined joined) {
  ForeignCommand command;
  for (std::size_t at = 0; at < words.size(); ++at) {
    if (!is_flag(words[at])) {
      command.rest.push_back(words[at]);
      continue;
    }
    auto [name, value] = parted(words[at], flags, joined);
    const ForeignFlag* flag = flag_of(name, flags);
    if (flag == nullptr) {
      command.notes.push_back(fmt::format("{}: not translated", words[at]));
      if (value || at + 1 == words.size() || is_flag(words[at + 1])) continue;
      if (positional == Positional::some)
        core::usage_error(
            fmt::format("like: {0}: unknown, and so is whether '{1}' is its value: leave out {0}{2}", name,
                        words[at + 1], ", or join them by ="));
      ++at;
      continue;
    }
    if (flag->has_value && !value) {
      if (at + 1 == words.size()) core::usage_error(fmt::format("like: {}: expected a value", name));
      value = words[++at];
    }
    command.given[std::string(flag->letter.empty() ? flag->name : flag->letter)] = value.value_or("");
    if (!flag->note.empty()) command.notes.push_back(fmt::format("{}: {}", name, flag->note));
  }
  return command;
}

std::string binary_size(std::string_view flag, const std::string& text) {
  const std::size_t digits = std::min(text.find_first_not_of("0123456789."), text.size());
  std::string unit = text.substr(digits);
  std::ranges::transform(unit, unit.begin(), [](unsigned char byte) { return std::toupper(byte); });
  const std::string size =
      text.substr(0, digits) + (unit.empty() || unit == "B" ? "B" : unit.substr(0, 1) + "iB");
  const bool is_known = unit.size() <= 1 || unit.substr(1) == "B" || unit.substr(1) == "IB";
  try {
    if (is_known && core::parse_bytes(size) > 0) return size;
  } catch (const core::Error&) {
  }
  core::usage_error(fmt::format("like: {} {}: expected a size such as 64K, 8M or 1G", flag, text));
}

long whole_number(std::string_view flag, const std::string& text, long least, long most) {
  long number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || end != text.data() + text.size() || number < least || number > most)
    core::usage_error(
        fmt::format("like: {} {}: expected a whole number from {} to {}", flag, text, least, most));
  return number;
}

long positive_number(std::string_view flag, const std::string& text) {
  return whole_number(flag, text, 1, 1L << 20);
}

}  // namespace assay::cli
