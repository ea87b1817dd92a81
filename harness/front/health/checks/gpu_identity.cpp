// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Checks whether every GPU is the same as before, no two have one identity, and all are of one kind.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <map>
#include <string_view>

#include "harness/front/health/checks/checks.hpp"

namespace assay::health {
namespace {

using GpuText = std::optional<std::string> GpuState::*;

struct Identity {
  const char* name;
  GpuText text;
};
constexpr std::array identities{Identity{"name", &GpuState::name}, Identity{"UUID", &GpuState::uuid},
                                Identity{"serial", &GpuState::serial}, Identity{"VBIOS", &GpuState::vbios}};
// Identities that no two boards share, and those that all boards of one kind share.
constexpr std::array unique_identities{identities[1], identities[2], Identity{"address", &GpuState::address}};
constexpr std::array equal_identities{identities[0], identities[3]};

/// True where the driver reports all of the identity.
bool judge_known(const GpuState& gpu, Findings& findings) {
  std::string missing;
  for (const Identity& identity : identities)
    if (!is_reported(gpu.*identity.text))
      missing += (missing.empty() ? "" : ", ") + std::string(identity.name);
  if (missing.empty()) return true;
  findings.unknown(gpu.unit(), "the driver does not report: " + missing);
  return false;
}

/// True where no GPU before this one has the same.
bool judge_unique(const Scene& scene, const GpuState& gpu, Findings& findings) {
  bool unique = true;
  for (const Identity& identity : unique_identities)
    for (const GpuState& other : scene.now.gpus) {
      if (other.index >= gpu.index) break;
      if (!other.lost.empty() || !is_reported(gpu.*identity.text) ||
          gpu.*identity.text != other.*identity.text)
        continue;
      unique = false;
      findings.add(
          Status::failed, gpu.unit(),
          fmt::format("{} {} is also that of GPU {}", identity.name, *(gpu.*identity.text), other.index),
          {"two boards cannot share an identity: do not trust the InfoROM", Action::drain});
      break;
    }
  return unique;
}

/// True where the board was here when the window began.
bool judge_same(const Scene& scene, const GpuState& gpu, Findings& findings) {
  if (!gpu.address || !is_reported(gpu.uuid)) return true;
  const auto before =
      std::find_if(scene.before.gpus.begin(), scene.before.gpus.end(),
                   [&](const GpuState& other) { return other.address == gpu.address && other.uuid; });
  if (before == scene.before.gpus.end()) {
    findings.unknown(gpu.unit(), "it was not there, or had no UUID, when the window began");
    return false;
  }
  if (before->uuid == gpu.uuid) return true;
  findings.add(Status::noticed, gpu.unit(), fmt::format("was {}, is {}", *before->uuid, *gpu.uuid),
               {"another board than at the check before", Action::monitor});
  return false;
}

/// The value most have, or the expected one.
void judge_equal(const Scene& scene, const Identity& identity, const std::optional<std::string>& expected,
                 Findings& findings) {
  std::map<std::string, int> votes;
  for (const GpuState& gpu : scene.now.gpus)
    if (is_reported(gpu.*identity.text)) ++votes[*(gpu.*identity.text)];
  if (votes.empty()) return;
  const auto most = std::max_element(votes.begin(), votes.end(), [](const auto& one, const auto& other) {
    return one.second < other.second;
  });
  const std::string wanted = expected.value_or(most->first);
  for (const GpuState& gpu : scene.now.gpus)
    if (is_reported(gpu.*identity.text) && *(gpu.*identity.text) != wanted)
      findings.add(Status::failed, gpu.unit(),
                   fmt::format("{} '{}', {} have '{}'", identity.name, *(gpu.*identity.text),
                               expected ? "all should" : "most", wanted),
                   {"a board of another kind, or with other firmware, has other limits", Action::configure});
}

void judge_expected_name(const Scene& scene, Findings& findings) {
  if (!scene.expected.gpu_name) return;
  for (const GpuState& gpu : scene.now.gpus)
    if (gpu.name.value_or("").find(*scene.expected.gpu_name) == std::string::npos)
      findings.add(
          Status::failed, gpu.unit(),
          fmt::format("is '{}', '{}' expected", gpu.name.value_or("unknown"), *scene.expected.gpu_name),
          {"this is not the machine that was expected", Action::configure});
}

/// The boards of an inventory, by serial number.
void judge_inventory(const Scene& scene, Findings& findings) {
  const auto& wanted = scene.expected.gpu_serials;
  if (wanted.empty()) return;
  const auto has = [](const auto& all, const std::string& serial) {
    return std::find(all.begin(), all.end(), serial) != all.end();
  };
  std::vector<std::string> here;
  for (const GpuState& gpu : scene.now.gpus) {
    if (!is_reported(gpu.serial)) continue;
    here.push_back(*gpu.serial);
    if (!has(wanted, *gpu.serial))
      findings.add(Status::failed, gpu.unit(),
                   fmt::format("serial {}, not in the inventory ({})", *gpu.serial, scene.expected.source),
                   {"another board than the site's list has for this node", Action::configure});
  }
  for (const std::string& serial : wanted)
    if (!has(here, serial))
      findings.add(Status::failed, "",
                   fmt::format("no GPU with serial {} ({})", serial, scene.expected.source),
                   {"the site's list has it in this node", Action::configure});
}

}  // namespace

bool is_reported(const std::optional<std::string>& text) {
  static constexpr std::array placeholders{"n/a",           "na",    "null",          "unknown",
                                           "unknown error", "none",  "not available", "not supported",
                                           "not specified", "error", "invalid"};
  const auto frames = [](unsigned char letter) {
    return std::isgraph(letter) == 0 ||
           std::string_view("[]()<>").find(static_cast<char>(letter)) != std::string_view::npos;
  };
  std::string bare;
  for (const char letter : text.value_or("")) {
    const auto code = static_cast<unsigned char>(letter);
    if (!frames(code) || !bare.empty()) bare += static_cast<char>(std::tolower(code));
  }
  while (!bare.empty() && frames(static_cast<unsigned char>(bare.back()))) bare.pop_back();
  return !bare.empty() && std::find(placeholders.begin(), placeholders.end(), bare) == placeholders.end();
}

void judge_identity(const Scene& scene, Findings& findings) {
  of_each_gpu(scene, findings, [&](const GpuState& gpu) {
    const bool known = judge_known(gpu, findings), unique = judge_unique(scene, gpu, findings);
    if (judge_same(scene, gpu, findings) && known && unique)
      findings.passed(gpu.unit(), fmt::format("{}, {}, serial {}, VBIOS {}", *gpu.name, *gpu.uuid,
                                              *gpu.serial, *gpu.vbios));
  });
  judge_equal(scene, equal_identities[0], {}, findings);
  judge_equal(scene, equal_identities[1], scene.expected.vbios, findings);
  judge_expected_name(scene, findings);
  judge_inventory(scene, findings);
}

}  // namespace assay::health
