// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "model/fabric/site/infiniband/ib_list.hpp"

#include <fmt/format.h>

#include <cstdlib>
#include <optional>
#include <regex>
#include <sstream>
#include <utility>

#include "harness/core/error.hpp"
#include "harness/core/printable.hpp"
#include "model/fabric/site/infiniband/tool_text.hpp"

namespace assay::model::fabric::site {
namespace {

constexpr std::size_t longest_line = 1000;  // std::regex recurses along a line
constexpr std::size_t longest_quote = 80;   // of a skipped line, in a message

/// Looks at the opening first: expressions are slow.
bool is_remark(const std::string& line) {
  for (const char* const opening : {"#", "vendid=", "devid=", "switchguid=", "caguid=", "rtguid="})
    if (line.starts_with(opening)) return true;
  static const std::regex remark(
      R"re(^(\s*|#.*|(vendid|devid|switchguid|caguid|rtguid)=.*|Chassis \d+.*|Hostname: .*)$)re");
  return std::regex_match(line, remark);
}

/// A line that begins as one of the list does must be one.
bool begins_as_list(const std::string& line) {
  static const std::regex begin(R"re(^((Switch|Ca|Rt)\s+\d|\[\d+\]).*$)re");
  return std::regex_match(line, begin);
}

bool is_aggregation_node(const std::string& description) {
  return description.find("Aggregation Node") != std::string::npos;
}

/// A description in one line of a file: UTF-8 without control characters, and blanks inside only.
std::string clean(const std::string& description) {
  const std::string valid = core::valid_text(description, "");
  const std::size_t first = valid.find_first_not_of(' ');
  return first == std::string::npos ? "" : valid.substr(first, valid.find_last_not_of(' ') + 1 - first);
}

IbKind kind_of(const std::string& word, const std::string& description) {
  if (word == "Switch") return IbKind::network_switch;
  if (word == "Rt") return IbKind::router;
  return is_aggregation_node(description) ? IbKind::aggregation_node : IbKind::adapter;
}

/// A LID that a subnet manager has set: a port has 0 or 65535 before.
std::uint32_t set_lid(const std::string& digits) {
  const auto lid = static_cast<std::uint32_t>(std::stoul(digits));
  return lid > last_unicast_lid ? 0 : lid;
}

/// LID of a switch, behind its description: " base port 0 lid 24 lmc 0".
std::uint32_t lid_of_switch(const std::string& rest) {
  static const std::regex own(R"re(\blid (\d{1,5})\b)re");
  std::smatch found;
  return std::regex_search(rest, found, own) ? set_lid(found[1]) : 0;
}

class IbReader {
 public:
  explicit IbReader(std::string file) : file_(std::move(file)) {}

  IbList read_all(const std::string& text) {
    std::istringstream lines(text);
    for (std::string line; std::getline(lines, line);) {
      ++line_;
      if (line.ends_with('\r')) line.pop_back();
      if (line.size() > longest_line) refuse("is longer than a line of ibnetdiscover can be");
      read(core::valid_text(line, "\t"));
    }
    if (list_.nodes.empty() && list_.skipped > 0)
      core::usage_error(file_ +
                        ": expected a line of ibnetdiscover (Switch, Ca, or [port] \"peer\"[port]); " +
                        list_.first_skipped);
    return std::move(list_);
  }

 private:
  [[noreturn]] void refuse(const std::string& what) const {
    core::usage_error(file_ + ":" + std::to_string(line_) + ": " + what);
  }

  void read(const std::string& line) {
    static const std::regex system(R"re(^sysimgguid=0x([0-9a-fA-F]+).*$)re");
    static const std::regex node(
        R"re(^(Switch|Ca|Rt)\s+\d+\s+"([SHR]-[0-9a-fA-F]{1,16})"\s*#\s*"(.*)"([^"]*)$)re");
    static const std::regex port(
        R"re(^\[(\d+)\](?:\[ext [^\]]*\])?(?:\([0-9a-fA-F]+\))?\s+"([SHR]-[0-9a-fA-F]{1,16})"\[(\d+)\](.*)$)re");
    if (line.empty()) return;
    const char first = line.front();
    std::smatch found;
    if ((first == 'S' || first == 'C' || first == 'R') && std::regex_match(line, found, node)) {
      begin(found[2], {kind_of(found[1], found[3]), clean(found[3]), std::exchange(system_, ""),
                       found[1] == "Switch" ? lid_of_switch(found[4]) : 0});
    } else if (first == '[' && std::regex_match(line, found, port)) {
      add(found[1], {found[2], found[3]}, found[4]);
    } else if (first == 's' && std::regex_match(line, found, system)) {
      system_ = found[1];
    } else if (begins_as_list(line)) {
      refuse("expected a line of ibnetdiscover (Switch, Ca, or [port] \"peer\"[port])");
    } else if (!is_remark(line)) {
      skip(line);
    }
  }

  /// Directors are listed twice with -g: among spine or line nodes, and among the switches of their chassis.
  void begin(const std::string& guid, const IbNode& node) {
    current_ = guid;
    const auto [known, is_new] = list_.nodes.emplace(guid, node);
    if (!is_new && known->second.description != node.description)
      refuse("'" + guid + "' has a block already");
  }

  void add(const std::string& port, IbPort peer, const std::string& rest) {
    if (!current_) refuse("expected a line 'Switch' or 'Ca' before the first port");
    const std::size_t quote = rest.rfind('"');
    IbLine line{.peer = std::move(peer),
                .is_to_aggregation_node = is_aggregation_node(rest),
                .rate = ib_rate(quote == std::string::npos ? rest : rest.substr(quote + 1)),
                .line = line_};
    check_port(port);
    check_port(line.peer.port);
    take_lid(rest, line);
    const auto [known, is_new] = list_.ports.emplace(IbPort{*current_, port}, line);
    if (!is_new && known->second.peer != line.peer) refuse("port " + port + " is listed twice");
  }

  void check_port(const std::string& port) const {
    if (port.size() > 3 || std::stoul(port) > last_port)
      refuse(fmt::format("expected the number of a port up to {}, got {}", last_port, port));
  }

  /// LID and LMC of an adapter's port: '# lid 38 lmc 1 "leaf03" lid 10 4xHDR'.
  void take_lid(const std::string& rest, IbLine& line) const {
    static const std::regex own(R"re(^\s*#\s*lid (\d{1,5}) lmc (\d)\b)re");
    std::smatch found;
    if (!std::regex_search(rest, found, own)) return;
    line.lid = set_lid(found[1]);
    line.lmc = static_cast<std::uint32_t>(std::stoul(found[2]));
    if (line.lmc > most_lmc) refuse(fmt::format("expected an LMC up to {}, got {}", most_lmc, line.lmc));
  }

  void skip(const std::string& line) {
    if (list_.skipped++ == 0)
      list_.first_skipped =
          "line " + std::to_string(line_) + " is '" + core::printable(line, longest_quote) + "'";
  }

  std::string file_;
  std::size_t line_ = 0;
  std::string system_;  // of the block that begins
  std::optional<std::string> current_;
  IbList list_;
};

}  // namespace

std::uint64_t guid_number(const std::string& guid) { return std::strtoull(guid.c_str() + 2, nullptr, 16); }

IbList read_ib_list(const std::string& text, const std::string& file) {
  return IbReader(file).read_all(text);
}

}  // namespace assay::model::fabric::site
