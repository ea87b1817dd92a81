// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "model/predict/read/unused_keys.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <span>
#include <vector>

#include "harness/core/printable.hpp"
#include "model/predict/read/known_keys.hpp"
#include "model/predict/read/read.hpp"
#include "model/predict/system/execution.hpp"

namespace assay::model {
namespace {

using Names = std::span<const std::string_view>;

constexpr std::size_t most_shown = 20, longest_key = 60;

bool is_in(Names names, std::string_view key) { return std::ranges::find(names, key) != names.end(); }

class Unused {
 public:
  /// `used` keys and remarks are left out.
  void add(const JsonValue& object, const std::string& place, Names used, Names of_assay) {
    if (!object.is_object()) return;
    for (const JsonValue member : object) {
      if (is_in(used, member.key()) || is_in(remark_keys, member.key())) continue;
      (is_in(of_assay, member.key()) ? of_assay_ : unknown_)
          .push_back(place + core::printable(member.key(), longest_key));
    }
  }

  std::string text(const std::string& file) const {
    std::string text;
    append(text, of_assay_, of_assay_.size() == 1 ? "--model assay uses it" : "--model assay uses them");
    append(text, unknown_, "not known");
    return text.empty() ? text : fmt::format("{}: not used: {}", file, text);
  }

 private:
  static void append(std::string& text, const std::vector<std::string>& keys, const char* remark) {
    if (keys.empty()) return;
    const std::span shown = std::span(keys).first(std::min(keys.size(), most_shown));
    text += fmt::format(
        "{}{}{} ({})", text.empty() ? "" : "; ", fmt::join(shown, ", "),
        keys.size() > shown.size() ? fmt::format(" and {} more", keys.size() - shown.size()) : "", remark);
  }

  std::vector<std::string> of_assay_, unknown_;
};

}  // namespace

std::string unused_keys_of_application(const JsonValue& application, const std::string& file) {
  Unused unused;
  unused.add(application, "", keys_of_calculon<Application>(), keys_of_assay<Application>());
  return unused.text(file);
}

std::string unused_keys_of_system(const JsonValue& system, const std::string& file) {
  Unused unused;
  unused.add(system, "", calculon_system_keys, system_keys);
  if (!system.is_object()) return {};
  for (const char* memory : {"mem1", "mem2"})
    if (const JsonValue found = system.find(memory); found.found())
      unused.add(found, fmt::format("{}.", memory), memory_keys, {});
  for (const char* engine : {"matrix", "vector"}) {
    const JsonValue types = system.find(engine);
    if (!types.found() || !types.is_object()) continue;
    unused.add(types, fmt::format("{}.", engine), datatype_names, {});
    for (const JsonValue type : types)
      if (is_in(datatype_names, type.key()))
        unused.add(type, fmt::format("{}.{}.", engine, type.key()), engine_keys, {});
  }
  return unused.text(file);
}

}  // namespace assay::model
