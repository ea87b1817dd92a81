// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "model/fabric/routes/lft_dump.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>
#include <utility>

#include "harness/core/error.hpp"
#include "harness/core/printable.hpp"
#include "model/fabric/site/infiniband/tool_text.hpp"

namespace assay::model::fabric::routes {
namespace {

constexpr std::size_t longest_line = 1000;
constexpr std::uint8_t no_port = 255;

std::string_view without_blanks(std::string_view text) {
  const std::size_t first = text.find_first_not_of(" \t");
  return first == std::string_view::npos ? std::string_view() : text.substr(first);
}

std::optional<std::uint64_t> take_hex(std::string_view& text) {
  return text.starts_with("0x") ? take_number(text) : std::nullopt;
}
std::optional<std::uint64_t> take_decimal(std::string_view& text) {
  return text.starts_with("0x") ? std::nullopt : take_number(text);
}

std::optional<std::uint64_t> guid_after(std::string_view line, std::string_view word) {
  auto rest = text_after(line, word);
  return rest ? take_hex(*rest) : std::nullopt;
}

bool is_remark(std::string_view line) {
  static constexpr std::array<std::string_view, 6> openings = {"#",      "Lid ", "Port ",
                                                               "LID   ", "MLid", "Ports:"};
  const std::string_view text = without_blanks(line);
  return text.empty() || text.ends_with("dumped") || text.ends_with("dumped ") ||
         std::ranges::any_of(openings, [&](std::string_view one) { return text.starts_with(one); });
}

class LftReader {
 public:
  LftReader(std::string file, LftDump& dump) : file_(std::move(file)), dump_(dump) {}

  void read(std::string_view line, bool is_too_long) {
    ++line_;
    if (line.ends_with('\r')) line.remove_suffix(1);
    if (is_too_long) refuse("is longer than a line of such a dump can be");
    if (line.starts_with("0x")) return add(line);
    if (begin(line) || is_remark(line)) return;
    if (part_ != Part::unicast && part_ != Part::none) return;  // ports of multicast tables
    if (skipped_++ == 0)
      first_skipped_ = fmt::format("line {} is '{}'", line_, core::printable(std::string(line), 80));
  }

  void finish() {
    if (tables_ == 0)
      core::usage_error(
          fmt::format("{}: has no forwarding table: expected opensm-lfts.dump, or what dump_lfts, ibroute or "
                      "ibdiagnet (.fdbs) "
                      "wrote{}",
                      file_, first_skipped_.empty() ? "" : "; " + first_skipped_));
    const auto note = [&](std::size_t count, const std::string& what) {
      if (count > 0) dump_.notes.push_back(fmt::format("{}: left out {} {}", file_, count, what));
    };
    note(multicast_, multicast_ == 1 ? "multicast table" : "multicast tables");
    note(private_,
         private_ == 1 ? "private table of adaptive routing" : "private tables of adaptive routing");
    note(skipped_, fmt::format("{} not part of a dump ({})",
                               skipped_ == 1 ? "line that is" : "lines that are", first_skipped_));
  }

 private:
  enum class Part { none, unicast, multicast, of_private };

  [[noreturn]] void refuse(const std::string& what) const {
    core::usage_error(fmt::format("{}:{}: {}", file_, line_, what));
  }

  /// True for a line that begins a table.
  bool begin(std::string_view line) {
    if (line.starts_with("Unicast lids ")) {
      open(guid_after(line, " guid "));
    } else if (line.find("dump_ucast_routes: Switch 0x") != std::string_view::npos) {
      open(guid_after(line, "dump_ucast_routes: Switch "));
    } else if (line.starts_with("Multicast mlids ")) {
      part_ = Part::multicast;
      ++multicast_;
    } else if (line.starts_with("PLFT_NUM:")) {
      if (table_ == nullptr) refuse("expected the heading of a switch before the number of its table");
      std::string_view rest = without_blanks(line.substr(line.find(':') + 1));
      const auto number = take_decimal(rest);
      if (!number)
        refuse(fmt::format("expected the number of a table, as 'PLFT_NUM: 0', got '{}'",
                           core::printable(std::string(line), 80)));
      const bool is_first = *number == 0;
      if (!is_first) ++private_;
      part_ = is_first ? Part::unicast : Part::of_private;
    } else {
      return false;
    }
    return true;
  }

  void open(std::optional<std::uint64_t> guid) {
    if (!guid || *guid == 0) refuse("expected the GUID of a switch, as guid 0x0002c90000100000");
    part_ = Part::unicast;
    const auto [known, is_new] = dump_.switches.try_emplace(*guid);
    table_ = &known->second;
    ++tables_;
    if (is_new) *table_ = {.guid = *guid, .line = line_, .file = file_};
  }

  /// "0x0002 005 : (...)", "0x0002 005 # ...", "0x0002 : 005  : 01   : yes", "0x0002 : UNREACHABLE".
  void add(std::string_view line) {
    if (part_ == Part::multicast || part_ == Part::of_private) return;
    if (part_ == Part::none) refuse("expected the heading of a switch's table before its first entry");
    const std::string_view whole = line;
    const auto lid = take_hex(line);
    if (!lid || !line.starts_with(' ')) refuse_entry(whole);
    if (*lid > last_unicast_lid)
      refuse(fmt::format("LID 0x{:x} is none of a port: expected at most 0x{:x}", *lid, last_unicast_lid));
    line = without_blanks(line);
    if (line.starts_with(':')) line = without_blanks(line.substr(1));
    if (line.starts_with("UNREACHABLE")) return;
    const auto port = take_decimal(line);
    if (!port || (!line.empty() && line.front() != ' ')) refuse_entry(whole);
    if (*port > no_port) refuse(fmt::format("port {} is none of a switch: expected at most 254", *port));
    if (*port == no_port) return;
    put(static_cast<std::uint32_t>(*lid), static_cast<std::uint8_t>(*port));
    if (dump_.owners.size() <= *lid) dump_.owners.resize(*lid + std::size_t{1});
    if (std::uint64_t& owner = dump_.owners[*lid]; owner == 0)
      owner = guid_after(line, "portguid ").value_or(0);
  }

  void put(std::uint32_t lid, std::uint8_t port) {
    std::vector<std::uint8_t>& ports = table_->ports;
    if (lid >= ports.size()) {
      if (lid >= ports.capacity()) ports.reserve(std::max<std::size_t>(1024, 2 * ports.capacity()));
      ports.resize(lid + std::size_t{1}, no_port);
    }
    if (ports[lid] != no_port && ports[lid] != port)
      refuse(fmt::format("LID 0x{:04x} leaves switch 0x{:016x} by port {}, and by port {} before", lid,
                         table_->guid, port, ports[lid]));
    ports[lid] = port;
  }

  [[noreturn]] void refuse_entry(std::string_view line) const {
    refuse(
        fmt::format("expected an entry, as '0x0002 005', got '{}'", core::printable(std::string(line), 80)));
  }

  std::string file_;
  LftDump& dump_;
  std::size_t line_ = 0, tables_ = 0, multicast_ = 0, private_ = 0, skipped_ = 0;
  std::string first_skipped_;
  Part part_ = Part::none;
  SwitchTable* table_ = nullptr;
};

}  // namespace

void read_lft_dump(const std::string& file, LftDump& dump) {
  LftReader reader(file, dump);
  read_lines(file, "forwarding tables, as of opensm-lfts.dump", longest_line, reader);
  reader.finish();
}

LftDump parse_lft_dump(std::string_view text, const std::string& file) {
  LftDump dump;
  LftReader reader(file, dump);
  parse_lines(text, longest_line, reader);
  reader.finish();
  return dump;
}

}  // namespace assay::model::fabric::routes
