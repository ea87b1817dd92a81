// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "model/fabric/site/ibnetdiscover.hpp"

#include <array>
#include <charconv>
#include <map>
#include <optional>
#include <regex>
#include <sstream>
#include <utility>

#include "harness/core/error.hpp"
#include "model/json/read_text.hpp"

namespace assay::model::fabric::site {

namespace {

struct LaneSpeed {
  const char* name;
  double gbit_per_s;  // data rate of a lane, after line coding
};
constexpr std::array<LaneSpeed, 9> lane_speeds = {{{"SDR", 2},
                                                   {"DDR", 4},
                                                   {"QDR", 8},
                                                   {"FDR10", 10},
                                                   {"FDR", 13.64},
                                                   {"EDR", 25},
                                                   {"HDR", 50},
                                                   {"NDR", 100},
                                                   {"XDR", 200}}};

constexpr std::size_t longest_line = 1000;  // std::regex recurses along a line

/// Of "4xNDR"; 0 where it is none.
double speed_of(const std::string& lanes, const std::string& name) {
  for (const LaneSpeed& one : lane_speeds)
    if (name == one.name) return std::stod(lanes) * one.gbit_per_s;
  return 0;
}

struct IbPort {
  std::string guid, port;  // "S-0002c90300000001" and "17"
  friend auto operator<=>(const IbPort&, const IbPort&) = default;
};

struct IbNode {
  std::string description;
  bool left_out = false;
};

struct IbLine {
  IbPort peer;
  double gbit_per_s = 0;
  std::size_t line = 0;
};

class IbFile {
 public:
  IbFile(const std::string& text, std::string file) : file_(std::move(file)) {
    std::istringstream lines(text);
    for (std::string line; std::getline(lines, line);) {
      ++line_;
      if (line.ends_with('\r')) line.pop_back();
      if (line.size() > longest_line) refuse(line_, "is longer than a line of ibnetdiscover can be");
      read(line);
    }
  }

  std::vector<SiteCable> cables() const {
    for (const auto& [port, line] : ports_)
      if (!nodes_.contains(line.peer.guid))
        refuse(line.line, "the file has no block of '" + line.peer.guid + "'");
    std::vector<SiteCable> cables;
    for (const auto& [port, line] : ports_) {
      check(port, line);
      if (port < line.peer && !left_out(port) && !left_out(line.peer))
        cables.push_back({end_of(port), end_of(line.peer), line.gbit_per_s, line.line});
    }
    return cables;
  }

 private:
  [[noreturn]] void refuse(std::size_t line, const std::string& what) const {
    core::usage_error(file_ + ":" + std::to_string(line) + ": " + what);
  }

  void read(const std::string& line) {
    static const std::regex node(R"re(^(Switch|Ca|Rt)\s+\d+\s+"([SHR]-[0-9a-fA-F]+)"\s*#\s*"(.*?)".*$)re");
    static const std::regex port(
        R"re(^\[(\d+)\](?:\[ext [^\]]*\])?(?:\([0-9a-fA-F]+\))?\s+"([SHR]-[0-9a-fA-F]+)"\[(\d+)\].*$)re");
    static const std::regex speed(R"re((\d+)x(SDR|DDR|QDR|FDR10|FDR|EDR|HDR|NDR|XDR)\d*\s*$)re");
    std::smatch found;
    if (std::regex_match(line, found, node)) {
      begin(found[1], found[2], found[3]);
    } else if (std::regex_match(line, found, port)) {
      if (!current_) refuse(line_, "expected a line 'Switch' or 'Ca' before the first port");
      IbLine read{{found[2], found[3]}, 0, line_};
      const IbPort own{*current_, found[1]};
      if (std::regex_search(line, found, speed)) read.gbit_per_s = speed_of(found[1], found[2]);
      if (!ports_.emplace(own, read).second) refuse(line_, "port " + own.port + " is listed twice");
    } else if (!is_remark(line)) {
      refuse(line_, "expected a line of ibnetdiscover (Switch, Ca, or [port] \"peer\"[port])");
    }
  }

  void begin(const std::string& kind, const std::string& guid, const std::string& description) {
    current_ = guid;
    const bool aggregation = description.find("Aggregation Node") != std::string::npos;
    if (!nodes_.emplace(guid, IbNode{description, kind == "Rt" || aggregation}).second)
      refuse(line_, "'" + guid + "' has a block already");
    ++uses_[description];
  }

  static bool is_remark(const std::string& line) {
    static const std::regex remark(
        R"re(^(\s*|#.*|(vendid|devid|sysimgguid|switchguid|caguid|rtguid)=.*|.*Chassis.*)$)re");
    return std::regex_match(line, remark);
  }

  bool left_out(const IbPort& port) const { return nodes_.at(port.guid).left_out; }

  void check(const IbPort& port, const IbLine& line) const {
    const auto back = ports_.find(line.peer);
    if (back != ports_.end() && back->second.peer != port)
      refuse(line.line, "line " + std::to_string(back->second.line) + " gives the other end another peer");
    if (back == ports_.end())
      refuse(line.line, "the block of '" + line.peer.guid + "' has no line of port " + line.peer.port);
  }

  SiteEnd end_of(const IbPort& port) const {
    const std::string& description = nodes_.at(port.guid).description;
    const bool unique = !description.empty() && uses_.at(description) == 1;
    return {unique ? description : port.guid, port.port, port.guid.starts_with('S')};
  }

  std::string file_;
  std::size_t line_ = 0;
  std::optional<std::string> current_;
  std::map<std::string, IbNode> nodes_;  // by GUID
  std::map<std::string, int> uses_;      // of a description
  std::map<IbPort, IbLine> ports_;
};

}  // namespace

SiteFabric parse_ibnetdiscover(const std::string& text, const std::string& file, LinkSpeed speed) {
  return site_fabric(IbFile(text, file).cables(), file, speed);
}

SiteFabric read_ibnetdiscover(const std::string& file, LinkSpeed speed) {
  return parse_ibnetdiscover(read_text(file, "the output of ibnetdiscover"), file, speed);
}

}  // namespace assay::model::fabric::site
