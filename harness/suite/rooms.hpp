// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// The rooms, and where their programs are.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace assay::suite {

struct RoomProgram {
  std::string name;  // "memory"
  std::filesystem::path program;
};

/// Every room the suite knows, built or not, in the order a run visits them.
const std::vector<std::string>& known_rooms();

/// True for rooms that measure between several processes, which a launcher may start.
bool takes_ranks(const std::string& room);

/// Those whose program stands in `folder`.
std::vector<RoomProgram> built_rooms(const std::filesystem::path& folder);

/// The folder this program was started from.
std::filesystem::path own_folder();

}  // namespace assay::suite
