// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include <stdexcept>

namespace assay::core {

// toml++ 3.3 asserts, or assumes, what a malformed key breaks: here that is an exception in every build.
constexpr void require_of_toml(bool holds) {
  if (!holds) throw std::runtime_error("a malformed key");
}

}  // namespace assay::core

#undef NDEBUG
#define TOML_ASSERT(condition) assay::core::require_of_toml(static_cast<bool>(condition))
#define TOML_IMPLEMENTATION
#include <fmt/format.h>

#include "harness/core/error.hpp"
#include "harness/core/text/toml_text.hpp"

namespace assay::core {

toml::table parse_toml(std::string_view text, const std::string& name) {
  try {
    return toml::parse(text, name);
  } catch (const toml::parse_error& error) {
    usage_error(fmt::format("{}:{}: not TOML: {}", name, error.source().begin.line, error.description()));
  } catch (const std::runtime_error& error) {
    usage_error(fmt::format("{}: not TOML: {}", name, error.what()));
  }
}

}  // namespace assay::core
