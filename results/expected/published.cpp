// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "results/expected/published.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>

#include "harness/core/describe/toml_fields.hpp"
#include "harness/core/text/glob.hpp"

namespace assay::results::expected {
namespace {

constexpr std::array<std::string_view, 2> published_units{"GB/s", "TFLOP/s"};

PublishedValue value_in(const core::TomlSection& section, const Published& published) {
  PublishedValue value;
  core::read_fields(section, value, {"kind", "bytes"});
  const auto kind = section.choice("kind", published_kinds);
  if (!kind) section.missing("kind", "typical, minimum or peak");
  value.kind = *kind;
  if (const auto bytes = section.bytes("bytes")) value.bytes = static_cast<std::int64_t>(*bytes);
  if (!published.system(value.system))
    section.refuse("system", fmt::format("expected the name of a [[system]], got '{}'", value.system));
  if (std::ranges::find(published_units, value.unit) == published_units.end())
    section.refuse("unit",
                   fmt::format("expected {}, got '{}'", fmt::join(published_units, " or "), value.unit));
  return value;
}

void add_values(const core::TomlSection& root, Published& published) {
  root.allow({"system", "value"});
  for (const core::TomlSection& section : root.tables("system")) {
    System system;
    core::read_fields(section, system);
    if (published.system(system.name))
      section.refuse("name", fmt::format("'{}' is there already", system.name));
    published.systems.push_back(std::move(system));
  }
  for (const core::TomlSection& section : root.tables("value"))
    published.values.push_back(value_in(section, published));
}

}  // namespace

const System* Published::system(std::string_view name) const {
  const auto found = std::ranges::find(systems, name, &System::name);
  return found == systems.end() ? nullptr : &*found;
}

const System* Published::system_of_gpu(std::string_view gpu) const {
  const System* found = nullptr;
  for (const System& one : systems) {
    if (!core::glob_matches(one.gpu, std::string(gpu))) continue;
    if (found) return nullptr;
    found = &one;
  }
  return found;
}

Published published_values(const std::vector<std::string>& site_files) {
  Published published;
  const core::TomlFile shipped(shipped_text, "published.toml");
  add_values(shipped.root(), published);
  for (const std::string& name : site_files) {
    const core::TomlFile file =
        core::read_toml(name, "a file of published values, as docs/reference/files.md has");
    add_values(file.root(), published);
  }
  return published;
}

}  // namespace assay::results::expected
