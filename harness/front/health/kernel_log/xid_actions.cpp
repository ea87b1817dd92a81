// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "harness/front/health/kernel_log/xid_actions.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <utility>
#include <vector>

#include "harness/core/error.hpp"
#include "harness/core/files/input_file.hpp"
#include "harness/core/text/nearest_name.hpp"
#include "harness/core/text/toml_section.hpp"

namespace assay::health {
namespace {

constexpr std::array words{std::pair{"ignore", Status::passed}, std::pair{"warn", Status::noticed},
                           std::pair{"fail", Status::failed}};
constexpr std::int64_t most_code = 65535;

std::string at(const std::string& file, const toml::node& node) {
  return fmt::format("{}:{}", file, node.source().begin.line);
}

void take_codes(const toml::node& node, Status status, XidActions& into) {
  const toml::array* const codes = node.as_array();
  if (codes == nullptr)
    core::usage_error(at(into.file, node) + ": expected a list of Xids, such as [13, 31]");
  for (const toml::node& one : *codes) {
    const auto code = one.value_exact<std::int64_t>();
    if (!code || *code < 1 || *code > most_code)
      core::usage_error(fmt::format("{}: expected an Xid from 1 to {}", at(into.file, one), most_code));
    if (!into.by_code.emplace(static_cast<int>(*code), status).second)
      core::usage_error(fmt::format("{}: Xid {} is there twice", at(into.file, one), *code));
  }
}

Advice advice_of(Status status, const std::string& file) {
  if (status == Status::failed) return {"a failure by " + file, Action::drain};
  return {"a warning by " + file, Action::monitor};
}

}  // namespace

XidActions read_xid_actions(const std::string& file) {
  XidActions actions{.file = file, .by_code = {}};
  const core::TomlFile toml(core::read_input(file, "a site's list of Xids (TOML)", 1U << 20U), file);
  toml.root().allow(core::keys_of(words));
  for (const auto& [word, status] : words)
    if (const toml::node* const codes = toml.root().node(word)) take_codes(*codes, status, actions);
  return actions;
}

void apply(const XidActions& actions, KernelLog& log) {
  for (KernelRecord& record : log.records) {
    const auto xid = xid_in(record.text);
    const auto listed = xid ? actions.by_code.find(xid->code) : actions.by_code.end();
    if (listed == actions.by_code.end()) continue;
    record.event.reset();
    if (listed->second == Status::passed) continue;
    record.event = KernelEvent{.check = "kernel.xid",
                               .address = xid->address,
                               .label = fmt::format("Xid {}", xid->code),
                               .status = listed->second,
                               .advice = advice_of(listed->second, actions.file)};
  }
}

std::string text_of(const XidActions& actions) {
  std::vector<std::string> parts;
  for (const auto& [word, status] : words)
    for (const auto& [code, of] : actions.by_code)
      if (of == status) parts.push_back(fmt::format("{} {}", code, word));
  return fmt::format("Xids by {}: {}", actions.file, fmt::join(parts, ", "));
}

}  // namespace assay::health
