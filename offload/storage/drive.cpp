// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "offload/storage/drive.hpp"

#include <sstream>
#include <vector>

namespace assay::offload {
namespace {

/// mountinfo writes white space and backslashes as three octal digits after a backslash.
std::string unescaped(const std::string& text) {
  std::string plain;
  for (std::size_t at = 0; at < text.size(); ++at) {
    const std::string digits = text.substr(at + 1, 3);
    const bool escape =
        text[at] == '\\' && digits.size() == 3 && digits.find_first_not_of("01234567") == std::string::npos;
    plain += escape ? static_cast<char>(std::stoi(digits, nullptr, 8)) : text[at];
    if (escape) at += 3;
  }
  return plain;
}

bool lies_in(const std::filesystem::path& folder, const std::filesystem::path& mount) {
  const std::filesystem::path below = folder.lexically_relative(mount);
  return !below.empty() && *below.begin() != "..";
}

std::string joined(const std::vector<std::string>& words) {
  std::string text;
  for (const std::string& word : words) text += (text.empty() ? "" : " + ") + word;
  return text;
}

/// `name` as in /sys/class/block; a partition is part of its disk, a mapped or RAID device consists of
/// others.
std::string model_of(const std::string& name, const machine::Tree& tree, int deepest = 4) {
  const std::string device = "/sys/class/block/" + name;
  if (tree.exists(device + "/partition")) return tree.text(device + "/../device/model");
  if (const std::string model = tree.text(device + "/device/model"); !model.empty()) return model;
  std::vector<std::string> models;
  if (deepest > 0)
    for (const std::string& part : tree.list(device + "/slaves"))
      if (const std::string model = model_of(part, tree, deepest - 1); !model.empty())
        models.push_back(model);
  return joined(models);
}

/// "dm-0" of "/dev/mapper/group-volume", which is a link to it.
std::string device_name(const std::string& source, const machine::Tree& tree) {
  const std::string real = tree.resolve(source);
  return std::filesystem::path(real.empty() ? source : real).filename().string();
}

/// "36 35 98:0 /root /mount options optional... - type source options" (proc_pid_mountinfo(5)).
struct Mount {
  explicit Mount(const std::string& line) {
    std::istringstream words(line);
    std::string word;
    words >> word >> word >> word >> word >> point;
    while (words >> word && word != "-") {
    }
    words >> file_system >> source;
    point = unescaped(point);
    source = unescaped(source);
  }
  std::string point, file_system, source;
};

}  // namespace

Drive drive_of(const std::filesystem::path& folder, const machine::Tree& tree) {
  Drive drive;
  std::string deepest;
  std::istringstream mounts(tree.text("/proc/self/mountinfo"));
  for (std::string line; std::getline(mounts, line);) {
    const Mount mount(line);
    if (mount.point.size() < deepest.size() || !lies_in(folder, mount.point)) continue;
    deepest = mount.point;  // of two at one place, the later one covers the earlier
    drive.file_system = mount.file_system;
    drive.source = mount.source;
  }
  if (drive.source.starts_with("/dev/")) drive.model = model_of(device_name(drive.source, tree), tree);
  return drive;
}

}  // namespace assay::offload
