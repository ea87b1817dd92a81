// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "harness/suite/rooms.hpp"

namespace assay::suite {

const std::vector<std::string>& known_rooms() {
  static const std::vector<std::string> rooms{"memory", "gemm", "offload", "rdma", "collectives"};
  return rooms;
}

bool takes_ranks(const std::string& room) { return room == "rdma" || room == "collectives"; }

std::vector<RoomProgram> built_rooms(const std::filesystem::path& folder) {
  std::vector<RoomProgram> built;
  for (const std::string& room : known_rooms()) {
    const std::filesystem::path program = folder / ("assay-" + room);
    if (std::filesystem::exists(program)) built.push_back({room, program});
  }
  return built;
}

std::filesystem::path own_folder() { return std::filesystem::read_symlink("/proc/self/exe").parent_path(); }

}  // namespace assay::suite
