// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "results/table/escaped_html.hpp"

#include <algorithm>

namespace assay::results {

std::string replaced(const std::string& text,
                     std::initializer_list<std::pair<char, std::string_view>> bytes) {
  std::string whole;
  for (const char byte : text) {
    const auto* const found =
        std::ranges::find(bytes, byte, [](const auto& substitute) { return substitute.first; });
    whole += found == bytes.end() ? std::string_view(&byte, 1) : found->second;
  }
  return whole;
}

std::string escaped_html(const std::string& text) {
  return replaced(text, {{'&', "&amp;"}, {'<', "&lt;"}, {'>', "&gt;"}, {'"', "&quot;"}});
}

}  // namespace assay::results
