// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Forms: util-linux 2.38, sys-utils/dmesg.c; systemd 252, src/shared/logs-show.c.
#include "harness/front/health/kernel_log/kernel_log_forms.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstdlib>
#include <sstream>
#include <string_view>

#include "harness/core/printable.hpp"
#include "harness/core/text/json_from.hpp"
#include "harness/front/health/kernel_log/line_pattern.hpp"

namespace assay::health {
namespace {

constexpr std::size_t longest_text = 4096;

struct Kept {
  std::uint64_t microseconds = 0;
  int level = informational_level;
  std::string text;
};

using Form = std::optional<Kept> (*)(std::string_view line);

/// The level of "<4>" or of "kern  :warn  : ", which dmesg --raw and --decode put first; they are taken off.
int take_level(std::string_view& line) {
  constexpr std::array<std::string_view, 8> names{"emerg", "alert",  "crit", "err",
                                                  "warn",  "notice", "info", "debug"};
  if (line.size() > 3 && line[0] == '<' && is_digit(line[1])) {
    int priority = 0;
    const auto [end, error] = std::from_chars(line.data() + 1, line.data() + line.size(), priority);
    if (error == std::errc() && end != line.data() + line.size() && *end == '>') {
      line.remove_prefix(static_cast<std::size_t>(end - line.data()) + 1);
      return priority % 8;
    }
  }
  if (line.starts_with("kern ")) {
    const std::size_t colon = line.find(':'), second = line.find(": ", colon + 1);
    if (second != std::string_view::npos) {
      const std::string_view name = line.substr(colon + 1, line.find_first_of(" :", colon + 1) - colon - 1);
      const auto* const found = std::ranges::find(names, name);
      if (found != names.end()) {
        line.remove_prefix(second + 2);
        return static_cast<int>(found - names.begin());
      }
    }
  }
  return informational_level;
}

/// "[ 1843.308145] text", and with CONFIG_PRINTK_CALLER "[ 1843.308145][    T1] text".
std::optional<Kept> of_dmesg(std::string_view line) {
  Kept kept;
  kept.level = take_level(line);
  if (!line.starts_with('[')) return {};
  const std::size_t close = line.find(']');
  if (close == std::string_view::npos) return {};
  const std::string stamp(without_blanks(line.substr(1, close - 1)));
  const std::size_t point = stamp.find('.');
  if (point == 0 || point == std::string::npos || stamp.find_first_not_of("0123456789.") != std::string::npos)
    return {};
  kept.microseconds = static_cast<std::uint64_t>(std::llround(std::strtod(stamp.c_str(), nullptr) * 1e6));
  std::string_view text = line.substr(close + 1);
  if (text.starts_with('[') && text.find(']') != std::string_view::npos)
    text.remove_prefix(text.find(']') + 1);
  kept.text = core::printable(without_blanks(text), longest_text);
  return kept;
}

/// "[Sun Nov 29 12:00:00 2026] text" of dmesg -T, whose times do not order records.
std::optional<Kept> of_dated_dmesg(std::string_view line) {
  Kept kept;
  kept.level = take_level(line);
  const std::size_t close = line.find("] ");
  if (!line.starts_with('[') || close == std::string_view::npos || close < 20 || line[close - 5] != ' ')
    return {};
  if (!std::all_of(line.begin() + static_cast<std::ptrdiff_t>(close) - 4,
                   line.begin() + static_cast<std::ptrdiff_t>(close), is_digit))
    return {};
  kept.text = core::printable(line.substr(close + 2), longest_text);
  return kept;
}

/// "Nov 29 12:00:00 node1 kernel: text" and "2026-11-29T12:00:00+0000 node1 kernel: text".
std::optional<Kept> of_journal(std::string_view line) {
  const bool has_month =
      line.size() > 15 && line[3] == ' ' && line[9] == ':' && line[12] == ':' && is_digit(line[5]);
  const bool is_iso =
      line.size() > 20 && is_digit(line[0]) && line[4] == '-' && line[10] == 'T' && line[13] == ':';
  if (!has_month && !is_iso) return {};
  constexpr std::string_view kernel = " kernel: ";
  const std::size_t at = line.find(kernel);
  Kept kept;
  // Another program's line is one of the journal, and none of the kernel.
  if (at == std::string_view::npos || line.find(": ") < at) return kept;
  kept.text = core::printable(line.substr(at + kernel.size()), longest_text);
  return kept;
}

template <class Number>
Number number_in(const nlohmann::json& object, const char* key, Number absent) {
  const auto found = object.find(key);
  if (found == object.end() || !found->is_string()) return absent;
  const auto text = found->get<std::string>();
  Number number{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  return error == std::errc() ? number : absent;
}

/// MESSAGE is a text, or a list of bytes where it is not UTF-8.
std::string message_in(const nlohmann::json& object) {
  const auto found = object.find("MESSAGE");
  if (found == object.end()) return {};
  if (found->is_string()) return found->get<std::string>();
  std::string bytes;
  if (found->is_array())
    for (const nlohmann::json& byte : *found)
      if (byte.is_number_unsigned()) bytes += static_cast<char>(byte.get<unsigned>());
  return bytes;
}

std::optional<Kept> of_journal_json(std::string_view line) {
  if (!line.starts_with('{')) return {};
  const auto object = core::json_or_discarded<nlohmann::json>(line);
  if (object.is_discarded() || !object.is_object() || !object.contains("MESSAGE")) return {};
  Kept kept;
  const auto transport = object.find("_TRANSPORT");
  if (transport != object.end() && *transport != "kernel") return kept;
  kept.microseconds = number_in<std::uint64_t>(object, "_SOURCE_MONOTONIC_TIMESTAMP",
                                               number_in<std::uint64_t>(object, "__MONOTONIC_TIMESTAMP", 0));
  kept.level = std::clamp(number_in(object, "PRIORITY", informational_level), 0, 7);
  kept.text = core::printable(message_in(object), longest_text);
  return kept;
}

Form form_of(std::string_view line) {
  for (const Form form : {of_dmesg, of_dated_dmesg, of_journal, of_journal_json})
    if (form(line)) return form;
  return nullptr;
}

}  // namespace

std::optional<KernelLog> parse_kept_log(const std::string& text) {
  std::istringstream lines(text);
  Form form = nullptr;
  KernelLog log;
  for (std::string line; std::getline(lines, line);) {
    if (line.ends_with('\r')) line.pop_back();
    if (line.empty() || line.starts_with("-- ")) continue;  // journalctl's heads and boots
    if (form == nullptr && (form = form_of(line)) == nullptr) return {};
    auto kept = form(line);
    if (!kept) {
      if (log.records.empty() || form == of_journal_json) ++log.malformed;
      continue;
    }
    if (kept->text.empty()) continue;
    KernelRecord record{log.next_sequence++, kept->microseconds, kept->level, std::move(kept->text), {}};
    record.event = recognise(record.text, record.level);
    log.records.push_back(std::move(record));
  }
  if (form == nullptr) return {};
  return log;
}

}  // namespace assay::health
