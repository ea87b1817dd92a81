// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Names of GPUs and of their parts, as findings, timelines and verdicts have them: "GPU 3 0000:4b:00.0 NVLink
// 4". The number and the address are empty where they are unknown.
#pragma once

#include <algorithm>
#include <optional>
#include <string>
#include <string_view>

namespace assay::core {

struct GpuName {
  std::string number, address = {};  // the driver's number; PCI
  std::string part = {};             // "NVLink 4"; empty: the whole GPU

  std::string text() const {
    std::string text = "GPU";
    for (const std::string& word : {number, address, part})
      if (!word.empty()) text += " " + word;
    return text;
  }

  /// Nothing for the name of another unit.
  static std::optional<GpuName> from(std::string_view text) {
    constexpr std::string_view start = "GPU ";
    if (!text.starts_with(start)) return std::nullopt;
    std::string_view rest = text.substr(start.size());
    const auto take_word_if = [&](const auto& wanted) {
      const std::string_view word = rest.substr(0, rest.find(' '));
      if (word.empty() || !wanted(word)) return std::string();
      rest.remove_prefix(std::min(word.size() + 1, rest.size()));
      return std::string(word);
    };
    GpuName name;
    name.number = take_word_if(
        [](std::string_view word) { return word.find_first_not_of("0123456789") == std::string_view::npos; });
    name.address =
        take_word_if([](std::string_view word) { return word.find(':') != std::string_view::npos; });
    name.part = rest;
    return name;
  }
};

}  // namespace assay::core
