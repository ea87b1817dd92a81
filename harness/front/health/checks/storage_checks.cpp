// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Drives: their wear and errors, and space for what is written.
#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "harness/front/health/checks/checks.hpp"
#include "harness/front/health/checks/movement.hpp"

namespace assay::health {
namespace {

constexpr unsigned worn_percent = 90;  // of the endurance that the maker states

/// Bits of the critical warning.
constexpr std::array<const char*, 5> drive_warnings{"few spare blocks left", "temperature out of its limits",
                                                    "less reliable after errors", "read only",
                                                    "its buffer would not survive a power loss"};

std::string warnings_of(unsigned bits) {
  std::string text;
  for (std::size_t i = 0; i < drive_warnings.size(); ++i)
    if ((bits >> i & 1U) != 0) text += fmt::format("{}{}", text.empty() ? "" : ", ", drive_warnings[i]);
  return text.empty() ? fmt::format("warning 0x{:x}", bits) : text;
}

/// True where they say nothing against the drive.
bool judge_media_errors(const Scene& scene, const Drive& drive, Findings& findings) {
  const Movement movement = movement_of(scene, {drive.name, media_errors_counter, drive.log->media_errors});
  if (!movement.moved) {
    findings.unknown(drive.name, movement.why_unknown);
    return false;
  }
  if (*movement.moved > 0) {
    findings.add(Status::failed, drive.name,
                 fmt::format("{} media errors within the window", *movement.moved),
                 {"data could not be read or written", Action::replace}, true);
    return false;
  }
  if (drive.log->media_errors > 0)
    findings.add(Status::noticed, drive.name,
                 fmt::format("{} media errors, not moving", drive.log->media_errors),
                 {"happened before this window", Action::monitor});
  return drive.log->media_errors == 0;
}

void judge_drive(const Scene& scene, const Drive& drive, Findings& findings) {
  if (!drive.log)
    return findings.unknown(drive.name,
                            "its health log cannot be read: root can, unless a controller hides it");
  const SmartLog& log = *drive.log;
  const std::string wear =
      fmt::format("{} % worn, {} % spare blocks ({} % at least), {:.1f} TB written, {} °C", log.used_percent,
                  log.spare_percent, log.least_spare_percent, log.written_bytes * 1e-12, log.temperature_c);
  if (log.warnings != 0)
    return findings.add(Status::failed, drive.name, fmt::format("{}; {}", warnings_of(log.warnings), wear),
                        {"the drive warns of itself", Action::replace});
  if (log.spare_percent < log.least_spare_percent)
    return findings.add(Status::failed, drive.name, wear, {"it runs out of spare blocks", Action::replace});
  const bool sound = judge_media_errors(scene, drive, findings);
  if (log.used_percent >= worn_percent)
    return findings.add(Status::noticed, drive.name,
                        fmt::format("{}; below {} % expected", wear, worn_percent),
                        {"its endurance is nearly used: plan its replacement", Action::monitor});
  if (sound) findings.passed(drive.name, wear);
}

void judge_drives(const Scene& scene, Findings& findings) {
  const auto drives = static_cast<int>(scene.now.platform.drives.size());
  if (const auto& wanted = scene.expected.nvme_drives; wanted && drives != *wanted)
    findings.add(Status::failed, "",
                 fmt::format("{} NVMe drives, {} expected ({})", drives, *wanted, scene.expected.source),
                 {"this is not the machine that was expected", Action::configure});
  for (const Drive& drive : scene.now.platform.drives) judge_drive(scene, drive, findings);
  for (const Counter& counter : scene.before.counters)
    if (counter.name == media_errors_counter &&
        std::ranges::find(scene.now.platform.drives, counter.unit, &Drive::name) ==
            scene.now.platform.drives.end())
      findings.unknown(counter.unit, "the drive has disappeared");
  if (scene.now.platform.drives.empty()) findings.absent("no NVMe drive");
}

struct Share {
  const char* of;
  double free = 0;  // of one
};

void judge_file_system(const FileSystem& place, Findings& findings) {
  if (!place.space) return findings.unknown(place.mount, "its free space cannot be read");
  const Space& space = *place.space;
  if (space.bytes == 0) return findings.unknown(place.mount, "it reports no size");
  constexpr double nearly_full = 0.05, full = 0.01;
  std::vector<Share> shares{
      {"bytes", static_cast<double>(space.free_bytes) / static_cast<double>(space.bytes)}};
  // File systems without a table of files report none.
  if (space.files > 0)
    shares.push_back({"files", static_cast<double>(space.free_files) / static_cast<double>(space.files)});
  const Share least = *std::ranges::min_element(shares, {}, &Share::free);
  const std::string evidence =
      fmt::format("{:.1f} GB free, {:.1f} % of its {}", static_cast<double>(space.free_bytes) * 1e-9,
                  100 * least.free, least.of);
  if (least.free < nearly_full)
    return findings.add(least.free < full ? Status::failed : Status::noticed, place.mount,
                        fmt::format("{}, {:g} % expected", evidence, 100 * nearly_full),
                        {"logs, checkpoints and results will not fit", Action::configure});
  findings.passed(place.mount, evidence);
}

void judge_space(const Scene& scene, Findings& findings) {
  const Platform& platform = scene.now.platform;
  if (!platform.mounts_seen) return findings.unknown("", "/proc/mounts cannot be read");
  for (const FileSystem& place : platform.file_systems) judge_file_system(place, findings);
  if (platform.file_systems.empty()) findings.absent("no file system that can be written");
}

constexpr Check listed_storage_checks[] = {
    {"host.nvme", "wear, spare blocks, warnings and media errors of every NVMe drive", judge_drives},
    {"host.free_space", "file systems have 5 % of their bytes and files free", judge_space},
};

}  // namespace

std::span<const Check> storage_checks() { return listed_storage_checks; }

}  // namespace assay::health
