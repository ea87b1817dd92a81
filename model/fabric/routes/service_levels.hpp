// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Service levels (SL) of paths, as opensm's dump of path records (opensm-path-records.dump, plug-in dump_pr)
// and saquery's path records state them; and opensm-sl2vl.dump, by which switches map them to virtual lanes.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace assay::model::fabric::routes {

inline constexpr std::uint8_t service_levels = 16;

class PathLevels {
 public:
  static constexpr std::uint8_t unknown = 255;

  std::uint8_t of(std::uint32_t from_lid, std::uint32_t to_lid) const;
  void set(std::uint32_t from_lid, std::uint32_t to_lid, std::uint8_t level);
  std::size_t paths() const { return paths_; }

 private:
  std::map<std::uint32_t, std::vector<std::uint8_t>> levels_;  // by LIDs of both ends
  std::size_t paths_ = 0;
};

class LaneMaps {
 public:
  using Lanes = std::array<std::uint8_t, service_levels>;

  /// The level itself where the switch has no map for these ports.
  std::uint8_t lane(std::uint64_t guid, std::uint8_t in, std::uint8_t out, std::uint8_t level) const;
  void set(std::uint64_t guid, std::uint8_t in, std::uint8_t out, const Lanes& lanes);
  bool empty() const { return maps_.empty(); }

 private:
  std::map<std::uint64_t, std::map<std::pair<std::uint8_t, std::uint8_t>, Lanes>> maps_;  // by GUID, in, out
};

/// Throw a usage Error with file and line for what is cut off or too long, and with the file where it states
/// nothing.
PathLevels read_path_levels(const std::string& file);
PathLevels parse_path_levels(std::string_view text, const std::string& file);
LaneMaps read_lane_maps(const std::string& file);
LaneMaps parse_lane_maps(std::string_view text, const std::string& file);

}  // namespace assay::model::fabric::routes
