// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "harness/team/handshake/hello.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <charconv>

#include "harness/core/error.hpp"
#include "harness/core/printable.hpp"
#include "harness/core/version.hpp"
#include "harness/team/wire/frame.hpp"
#include "harness/team/wire/printable.hpp"

namespace assay::team {
namespace {

// The order of the first six texts, and the first of them, stay as they are in every version: members of
// different versions must be able to report that to each other.
constexpr std::string_view opening = "assay-team";
constexpr std::size_t fixed_texts = 6;

int number_from(const std::string& text) {
  int number = 0;
  const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (problem != std::errc() || end != text.data() + text.size())
    throw core::Error(core::ErrorKind::team, "an introduction with an invalid number");
  return number;
}

/// A long value from shortly before the place where it differs from the other.
std::string excerpt(const std::string& value, const std::string& other) {
  constexpr std::size_t shown_whole = 200, before = 40;
  const auto differs = static_cast<std::size_t>(
      std::mismatch(value.begin(), value.end(), other.begin(), other.end()).first - value.begin());
  if (std::max(value.size(), other.size()) <= shown_whole || differs <= before) return printable(value);
  return "..." + printable(value.substr(differs - before));
}

}  // namespace

std::string printable(std::string text) {
  constexpr std::size_t longest = 200;
  if (text.size() > longest) text = text.substr(0, longest) + "...";
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t length = core::utf8_length(std::string_view(text).substr(at));
    const bool is_control = core::begins_with_control(std::string_view(text).substr(at));
    if (length == 0 || is_control) text.replace(at, std::max<std::size_t>(length, 1), "?");
    at += length == 0 || is_control ? 1 : length;
  }
  return text;
}

Hello hello_of_this_host(std::vector<std::pair<std::string, std::string>> options) {
  std::array<char, 256> name{};
  if (gethostname(name.data(), name.size() - 1) != 0) name[0] = '?';
  return {name.data(), core::version(), wire_protocol, std::move(options)};
}

std::string disagreement(const Hello& mine, const Hello& theirs) {
  if (mine.version != theirs.version)
    return fmt::format("{} runs assay {}, this host {}: install one version on both", theirs.host,
                       theirs.version, mine.version);
  if (mine.protocol != theirs.protocol)
    return fmt::format("{} speaks wire protocol {}, this host {}: install the same build of assay on both",
                       theirs.host, theirs.protocol, mine.protocol);
  for (const auto& [name, value] : mine.options)
    for (const auto& [their_name, their_value] : theirs.options)
      if (name == their_name && value != their_value)
        return fmt::format("{} has {} {}, this host {}: start both with the same {}", theirs.host,
                           printable(name), excerpt(their_value, value), excerpt(value, their_value),
                           printable(name));
  return "";
}

std::string different_size(const Introduction& theirs, int size) {
  if (theirs.size == size) return "";
  return fmt::format("{} was started as one of {} ranks, this host as one of {}: start all alike",
                     theirs.hello.host, theirs.size, size);
}

std::string to_text(const Introduction& introduction) {
  const Hello& hello = introduction.hello;
  std::vector<std::string> texts{std::string(opening),
                                 std::to_string(hello.protocol),
                                 hello.version,
                                 hello.host,
                                 std::to_string(introduction.rank),
                                 std::to_string(introduction.size),
                                 std::to_string(introduction.port)};
  for (const auto& [name, value] : hello.options) {
    texts.push_back(name);
    texts.push_back(value);
  }
  return pack(texts);
}

Introduction introduction_from(std::string_view text) {
  const std::vector<std::string> texts = unpack(text);
  if (texts.size() < fixed_texts || texts[0] != opening)
    throw core::Error(core::ErrorKind::team, "an introduction that is not assay's");
  Introduction introduction;
  introduction.hello.protocol = number_from(texts[1]);
  introduction.hello.version = printable(texts[2]);
  introduction.hello.host = printable(texts[3]);
  introduction.rank = number_from(texts[4]);
  introduction.size = number_from(texts[5]);
  // Protocol 2 had pairs only.
  const std::size_t ports = (texts.size() - fixed_texts) % 2;
  if (ports > 0) introduction.port = number_from(texts[fixed_texts]);
  for (std::size_t i = fixed_texts + ports; i + 1 < texts.size(); i += 2)
    introduction.hello.options.emplace_back(texts[i],
                                            texts[i + 1]);  // compared whole, shown by disagreement()
  return introduction;
}

}  // namespace assay::team
