// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// What the command line says of this room alone.
#pragma once

#include <filesystem>

namespace CLI {
class App;
}

namespace assay::offload {

struct RoomSettings {
  std::filesystem::path checkpoint_folder = ".";
};
void add_room_options(CLI::App& app, RoomSettings& settings);

}  // namespace assay::offload
