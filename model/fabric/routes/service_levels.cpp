// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "model/fabric/routes/service_levels.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "harness/core/error.hpp"
#include "harness/core/printable.hpp"
#include "model/fabric/site/infiniband/tool_text.hpp"

namespace assay::model::fabric::routes {
namespace {

constexpr std::size_t longest_level_line = 1000;

/// Takes a number, and the blanks and colons behind it.
std::optional<std::uint64_t> take(std::string_view& text) {
  const auto number = take_number(text);
  if (number) text.remove_prefix(std::min(text.find_first_not_of(" \t:"), text.size()));
  return number;
}

class LevelReader {
 public:
  explicit LevelReader(std::string file) : file_(std::move(file)) {}

 protected:
  [[noreturn]] void refuse(const std::string& expected, std::string_view line) const {
    core::usage_error(fmt::format("{}:{}: expected {}, got '{}'", file_, line_, expected,
                                  core::printable(std::string(line), 80)));
  }
  [[noreturn]] void refuse_none(const std::string& expected) const {
    core::usage_error(fmt::format("{}: expected {}", file_, expected));
  }
  void next(std::string_view line, bool is_too_long) {
    ++line_;
    if (is_too_long) refuse(fmt::format("a line of at most {} bytes", longest_level_line), line);
  }

 private:
  std::string file_;
  std::size_t line_ = 0;
};

class PathLevelReader : public LevelReader {
 public:
  using LevelReader::LevelReader;

  void read(std::string_view line, bool is_too_long) {
    next(line, is_too_long);
    if (line.starts_with("Channel Adapter ") || line.starts_with("Switch ") || line.starts_with("Router ")) {
      source_ = lid_in(number_after(line, "base LID "), "a heading with the source's base LID", line);
    } else if (line.starts_with("0x")) {
      add(line);
    } else if (const std::size_t first = line.find_first_not_of(" \t"); first != std::string_view::npos) {
      add_field(line.substr(first), line);
    }
  }
  PathLevels finish() {
    if (levels_.paths() == 0)
      refuse_none("service levels of paths: opensm-path-records.dump, or saquery's path records");
    return std::move(levels_);
  }

 private:
  std::uint32_t lid_in(std::optional<std::uint64_t> lid, const char* expected, std::string_view line) const {
    if (!lid || *lid > last_unicast_lid) refuse(expected, line);
    return static_cast<std::uint32_t>(*lid);
  }
  std::uint8_t level_in(std::optional<std::uint64_t> level, std::string_view line) const {
    if (!level || *level >= service_levels) refuse("a service level from 0 to 15", line);
    return static_cast<std::uint8_t>(*level);
  }

  /// "0x0005 : 1  : 4   : 7", "0x0005 : UNREACHABLE".
  void add(std::string_view line) {
    const std::string_view whole = line;
    if (!source_) refuse("the heading of a source before its first path", whole);
    const std::uint32_t to = lid_in(take(line), "a LID, as '0x0005 : 1 : 4 : 7'", whole);
    if (!line.starts_with("UNREACHABLE")) levels_.set(*source_, to, level_in(take(line), whole));
  }

  /// saquery's "dlid....................5"; the level follows both LIDs.
  void add_field(std::string_view field, std::string_view line) {
    const std::size_t dots = field.find("..");
    if (dots == std::string_view::npos) return;
    const std::string_view name = field.substr(0, dots);
    field.remove_prefix(std::min(field.find_first_not_of('.', dots), field.size()));
    if (name == "dlid") to_ = lid_in(take(field), "a LID", line);
    if (name == "slid") from_ = lid_in(take(field), "a LID", line);
    if (name != "sl") return;
    if (from_ == 0 || to_ == 0) refuse("slid and dlid of the path before its level", line);
    levels_.set(from_, to_, level_in(take(field), line));
    from_ = to_ = 0;
  }

  std::optional<std::uint32_t> source_;
  std::uint32_t from_ = 0, to_ = 0;
  PathLevels levels_;
};

class LaneReader : public LevelReader {
 public:
  using LevelReader::LevelReader;

  void read(std::string_view line, bool is_too_long) {
    next(line, is_too_long);
    if (line.starts_with("Switch ")) {
      guid_ = number_after(line, "Switch ");
      if (!guid_) refuse("a switch and its GUID", line);
    } else if (line.starts_with("Channel Adapter ") || line.starts_with("Router ")) {
      guid_.reset();  // the lane of a host's own port feeds none
    } else if (guid_ && !line.empty() && line.front() >= '0' && line.front() <= '9') {
      add(line);
    }
  }
  LaneMaps finish() {
    if (maps_.empty()) refuse_none("maps of service levels to lanes: opensm-sl2vl.dump");
    return std::move(maps_);
  }

 private:
  void add(std::string_view line) {
    const std::string_view whole = line;
    const auto in = take(line), out = take(line);
    LaneMaps::Lanes lanes{};
    for (std::uint8_t& lane : lanes) {
      const auto one = take(line);
      if (!in || !out || *in > 254 || *out > 254 || !one || *one > 15)
        refuse("ports in and out and 16 lanes, as '1 2 : 0 1 2 3 ...'", whole);
      lane = static_cast<std::uint8_t>(*one);
    }
    maps_.set(*guid_, static_cast<std::uint8_t>(*in), static_cast<std::uint8_t>(*out), lanes);
  }

  std::optional<std::uint64_t> guid_;
  LaneMaps maps_;
};

template <class Reader>
auto read_all(const std::string& file, const std::string& expected) {
  Reader reader(file);
  read_lines(file, expected, longest_level_line, reader);
  return reader.finish();
}

template <class Reader>
auto parse_all(std::string_view text, const std::string& file) {
  Reader reader(file);
  parse_lines(text, longest_level_line, reader);
  return reader.finish();
}

}  // namespace

std::uint8_t PathLevels::of(std::uint32_t from_lid, std::uint32_t to_lid) const {
  const auto row = levels_.find(from_lid);
  return row == levels_.end() || to_lid >= row->second.size() ? unknown : row->second[to_lid];
}

void PathLevels::set(std::uint32_t from_lid, std::uint32_t to_lid, std::uint8_t level) {
  std::vector<std::uint8_t>& row = levels_[from_lid];
  if (row.size() <= to_lid) row.resize(to_lid + std::size_t{1}, unknown);
  paths_ += row[to_lid] == unknown ? 1 : 0;
  row[to_lid] = level;
}

std::uint8_t LaneMaps::lane(std::uint64_t guid, std::uint8_t in, std::uint8_t out, std::uint8_t level) const {
  const auto own = maps_.find(guid);
  if (own == maps_.end()) return level;
  const auto ports = own->second.find({in, out});
  return ports == own->second.end() ? level : ports->second[level];
}

void LaneMaps::set(std::uint64_t guid, std::uint8_t in, std::uint8_t out, const Lanes& lanes) {
  maps_[guid][{in, out}] = lanes;
}

PathLevels read_path_levels(const std::string& file) {
  return read_all<PathLevelReader>(file, "service levels of paths, as of opensm-path-records.dump");
}
PathLevels parse_path_levels(std::string_view text, const std::string& file) {
  return parse_all<PathLevelReader>(text, file);
}
LaneMaps read_lane_maps(const std::string& file) {
  return read_all<LaneReader>(file, "maps of service levels to lanes, as of opensm-sl2vl.dump");
}
LaneMaps parse_lane_maps(std::string_view text, const std::string& file) {
  return parse_all<LaneReader>(text, file);
}

}  // namespace assay::model::fabric::routes
