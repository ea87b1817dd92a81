// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "model/fabric/counters/port_counters.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <optional>

#include "harness/core/error.hpp"
#include "harness/core/printable.hpp"
#include "model/fabric/site/infiniband/tool_text.hpp"

namespace assay::model::fabric::counters {
namespace {

constexpr std::size_t longest_line = 100'000;
constexpr std::uint64_t most_value = std::numeric_limits<std::uint64_t>::max();
constexpr std::uint32_t all_ports = 255;  // perfquery's number for their sum

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

  void read(std::string_view line, bool is_too_long) {
    ++line_;
    if (is_too_long) refuse(fmt::format("a line of at most {} bytes", longest_line), line);
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

  /// Nothing where no number begins, as in N/A; one beyond `most` is refused.
  std::optional<std::uint64_t> number_at(std::string_view text, std::uint64_t most, std::string_view what,
                                         std::string_view line) const {
    const bool begins = !text.empty() && text.front() >= '0' && text.front() <= '9';
    const auto number = take_number(text);
    if (begins && (!number || *number > most)) refuse(fmt::format("{} up to {}", what, most), line);
    return number;
  }
  std::optional<std::uint32_t> port_after(std::string_view text, std::string_view word, std::uint32_t most,
                                          std::string_view line) const {
    const auto rest = text_after(text, word);
    const auto port = rest ? number_at(*rest, most, "the number of a port,", line) : std::nullopt;
    return port ? std::optional(static_cast<std::uint32_t>(*port)) : std::nullopt;
  }
  std::optional<std::uint64_t> value_at(std::string_view text, std::string_view line) const {
    return number_at(text, most_value, "a counter", line);
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
    const auto guid = number_after(cells[guid_column_], "");
    const auto port = port_after(cells[port_column_], "", last_port, line);
    if (!guid || !port) refuse("a GUID and the number of a port", line);
    Counters& own = all_.ports[{*guid, *port}];
    for (std::size_t at = 0; at < cells.size(); ++at) {
      if (header_[at].ends_with("GUID") || at == port_column_) continue;
      if (const auto value = value_at(cells[at], line))
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
    const auto lid = number_after(line, "Lid ");
    const auto port = port_after(line, "port ", all_ports, line);
    port_ = nullptr;
    if (!lid) refuse("a LID and the number of a port", line);
    const auto guid = *lid > last_unicast_lid ? lids_.end() : lids_.find(static_cast<std::uint32_t>(*lid));
    if (guid == lids_.end()) refuse("a LID that the list of --topology has", line);
    if (port && *port != all_ports) port_ = &all_.ports[{guid->second, *port}];
  }
  /// "SymbolErrorCounter:..............0".
  void add_field(std::string_view line) {
    const std::size_t colon = line.find(':');
    const std::string_view name = line.substr(0, colon);
    const std::size_t from = line.find_first_not_of('.', colon + 1);
    const auto value = from == std::string_view::npos ? std::nullopt : value_at(line.substr(from), line);
    if (!value) refuse("a number", line);
    (*port_)[std::string(short_name(name))] = *value;
  }

  /// "0x200000 port 9: [SymbolErrorCounter == 77] [PortXmitData == 162576 (635.062KB)]".
  void add_listed(std::string_view line) {
    all_.bad_ports_alone = true;
    port_ = nullptr;
    const auto guid = number_after(line, "");
    const auto port = port_after(line, " port ", last_port, line);
    if (!guid) refuse("a GUID", line);
    if (!port) return;  // "port ALL"
    Counters& own = all_.ports[{*guid, *port}];
    for (std::size_t open = line.find('['); open != std::string_view::npos; open = line.find('[', open + 1)) {
      const std::size_t equals = line.find(" == ", open);
      if (equals == std::string_view::npos) refuse("counters, as [SymbolErrorCounter == 77]", line);
      const auto value = value_at(line.substr(equals + 4), line);
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

GuidsOfLids guids_of_lids(const site::IbList& list) {
  GuidsOfLids guids;
  for (const auto& [guid, node] : list.nodes)
    if (node.lid > 0) guids[node.lid] = site::guid_number(guid);
  for (const auto& [port, line] : list.ports)
    if (line.lid > 0) guids.emplace(line.lid, site::guid_number(port.guid));
  return guids;
}

PortCounters read_port_counters(const std::string& file, const GuidsOfLids& lids) {
  CounterReader reader(file, lids);
  read_lines(file, "counters of ports", longest_line, reader);
  return reader.finish();
}

PortCounters parse_port_counters(std::string_view text, const std::string& file, const GuidsOfLids& lids) {
  CounterReader reader(file, lids);
  parse_lines(text, longest_line, reader);
  return reader.finish();
}

}  // namespace assay::model::fabric::counters
