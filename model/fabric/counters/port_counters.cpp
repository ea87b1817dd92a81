// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "model/fabric/counters/port_counters.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <optional>

#include "harness/core/error.hpp"
#include "harness/core/files/input_lines.hpp"
#include "harness/core/printable.hpp"

namespace assay::model::fabric::counters {
namespace {

constexpr std::size_t longest_line = 100'000;

/// "12" or "0x0c" at the front of the text.
std::optional<std::uint64_t> number_at(std::string_view text) {
  const bool is_hex = text.starts_with("0x");
  if (is_hex) text.remove_prefix(2);
  std::uint64_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number, is_hex ? 16 : 10);
  return error == std::errc() ? std::optional(number) : std::nullopt;
}

std::optional<std::uint64_t> number_behind(std::string_view line, std::string_view word) {
  const std::size_t at = line.find(word);
  return at == std::string_view::npos ? std::nullopt : number_at(line.substr(at + word.size()));
}

std::string_view short_name(std::string_view name) {
  for (const std::string_view ending : {"Extended", "Ext"})
    if (name.ends_with(ending)) name.remove_suffix(ending.size());
  return name;
}

std::vector<std::string_view> cells_of(std::string_view line) {
  std::vector<std::string_view> cells;
  for (;;) {
    const std::size_t comma = std::min(line.find(','), line.size());
    cells.push_back(line.substr(0, comma));
    if (comma == line.size()) return cells;
    line.remove_prefix(comma + 1);
  }
}

class CounterReader {
 public:
  CounterReader(std::string file, const GuidsOfLids& lids) : file_(std::move(file)), lids_(lids) {}

  void read(std::string_view line) {
    ++line_;
    if (line.ends_with('\r')) line.remove_suffix(1);
    if (line.starts_with("START_PM_INFO")) {
      header_.clear();
      in_table_ = true;
    } else if (line.starts_with("END_PM_INFO")) {
      in_table_ = false;
    } else if (in_table_) {
      add_row(line);
    } else if (line.find("counters: Lid ") != std::string_view::npos && line.starts_with('#')) {
      begin_port(line);
    } else if (const std::size_t guid = line.find("GUID 0x"); guid != std::string_view::npos) {
      add_listed(line.substr(guid + 5));
    } else if (port_ != nullptr && line.find(":.") != std::string_view::npos) {
      add_field(line);
    }
  }

  PortCounters finish() {
    if (all_.ports.empty() && !all_.bad_ports_alone)
      core::usage_error(
          fmt::format("{}: has no counters of ports: expected what ibqueryerrors or perfquery "
                      "printed, or ibdiagnet's db_csv with PM_INFO",
                      file_));
    if (not_numbers_ > 0)
      all_.notes.push_back(
          fmt::format("{}: left out {} values that are no numbers, as N/A", file_, not_numbers_));
    return std::move(all_);
  }

 private:
  [[noreturn]] void refuse(const std::string& expected, std::string_view line) const {
    core::usage_error(fmt::format("{}:{}: expected {}, got '{}'", file_, line_, expected,
                                  core::printable(std::string(line), 80)));
  }

  void add_row(std::string_view line) {
    const std::vector<std::string_view> cells = cells_of(line);
    if (header_.empty()) {
      for (const std::string_view one : cells) header_.emplace_back(one);
      guid_column_ = column("NodeGUID", line);
      port_column_ = column("PortNumber", line);
      return;
    }
    if (cells.size() != header_.size())
      refuse(fmt::format("{} cells, as the heading has", header_.size()), line);
    const auto guid = number_at(cells[guid_column_]), port = number_at(cells[port_column_]);
    if (!guid || !port) refuse("a GUID and the number of a port", line);
    Counters& own = all_.ports[{*guid, static_cast<std::uint32_t>(*port)}];
    for (std::size_t at = 0; at < cells.size(); ++at) {
      if (header_[at].ends_with("GUID") || at == port_column_) continue;
      if (const auto value = number_at(cells[at]))
        own[std::string(short_name(header_[at]))] = *value;
      else
        ++not_numbers_;
    }
  }
  std::size_t column(std::string_view name, std::string_view line) const {
    const auto found = std::ranges::find(header_, name);
    if (found == header_.end()) refuse(fmt::format("a column {} in the heading", name), line);
    return static_cast<std::size_t>(found - header_.begin());
  }

  /// "# Port counters: Lid 24 port 9 (CapMask: 0x1300)", "# Port extended counters: ...".
  void begin_port(std::string_view line) {
    const auto lid = number_behind(line, "Lid "), port = number_behind(line, "port ");
    port_ = nullptr;
    if (!lid) refuse("a LID and the number of a port", line);
    const auto guid = lids_.find(static_cast<std::uint32_t>(*lid));
    if (guid == lids_.end()) refuse("a LID that the list of --topology has", line);
    if (!port || *port >= 255) return;  // the sum of all ports
    port_ = &all_.ports[{guid->second, static_cast<std::uint32_t>(*port)}];
  }
  /// "SymbolErrorCounter:..............0".
  void add_field(std::string_view line) {
    const std::size_t colon = line.find(':');
    const std::string_view name = line.substr(0, colon);
    const std::size_t from = line.find_first_not_of('.', colon + 1);
    const auto value = from == std::string_view::npos ? std::nullopt : number_at(line.substr(from));
    if (!value) refuse("a number", line);
    (*port_)[std::string(short_name(name))] = *value;
  }

  /// "0x200000 port 9: [SymbolErrorCounter == 77] [PortXmitData == 162576 (635.062KB)]".
  void add_listed(std::string_view line) {
    all_.bad_ports_alone = true;
    port_ = nullptr;
    const auto guid = number_at(line), port = number_behind(line, " port ");
    if (!guid) refuse("a GUID", line);
    if (!port) return;  // "port ALL"
    Counters& own = all_.ports[{*guid, static_cast<std::uint32_t>(*port)}];
    for (std::size_t open = line.find('['); open != std::string_view::npos; open = line.find('[', open + 1)) {
      const std::size_t equals = line.find(" == ", open);
      if (equals == std::string_view::npos) refuse("counters, as [SymbolErrorCounter == 77]", line);
      const auto value = number_at(line.substr(equals + 4));
      if (!value) refuse("a number behind ==", line);
      own[std::string(short_name(line.substr(open + 1, equals - open - 1)))] = *value;
    }
  }

  std::string file_;
  const GuidsOfLids& lids_;
  PortCounters all_;
  std::size_t line_ = 0, not_numbers_ = 0, guid_column_ = 0, port_column_ = 0;
  bool in_table_ = false;
  std::vector<std::string> header_;
  Counters* port_ = nullptr;
};

}  // namespace

GuidsOfLids guids_of_lids(std::string_view list) {
  GuidsOfLids guids;
  std::uint64_t node = 0;
  while (!list.empty()) {
    const std::string_view line = list.substr(0, std::min(list.find('\n'), list.size()));
    list.remove_prefix(std::min(line.size() + 1, list.size()));
    if (line.starts_with("Switch") || line.starts_with("Ca")) {
      const std::size_t quote = line.find("-");
      if (quote == std::string_view::npos) continue;
      node = number_at("0x" + std::string(line.substr(quote + 1, 16))).value_or(0);
      if (const auto lid = number_behind(line, " lid "); lid && line.starts_with("Switch"))
        guids[static_cast<std::uint32_t>(*lid)] = node;
    } else if (line.starts_with('[')) {
      // An adapter's own LID is behind "# lid", its peer's elsewhere.
      if (const auto lid = number_behind(line, "# lid "); lid && line.find("\"S-") != std::string_view::npos)
        guids.emplace(static_cast<std::uint32_t>(*lid), node);
    }
  }
  return guids;
}

PortCounters read_port_counters(const std::string& file, const GuidsOfLids& lids) {
  core::InputLines lines(file, "counters of ports", longest_line);
  CounterReader reader(file, lids);
  while (lines.next()) reader.read(lines.line());
  return reader.finish();
}

PortCounters parse_port_counters(std::string_view text, const std::string& file, const GuidsOfLids& lids) {
  CounterReader reader(file, lids);
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    reader.read(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return reader.finish();
}

}  // namespace assay::model::fabric::counters
