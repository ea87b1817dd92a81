// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// NVML's report of a GPU's health besides its error counters.
#include <fmt/format.h>

#include <algorithm>

#include "harness/machine/nvml/nvml.hpp"
#include "harness/machine/nvml/nvml_fields.hpp"

namespace assay::machine {
namespace {

template <class Info>
std::string domain_of(const Info& fabric) {
  if (std::ranges::all_of(fabric.cluster_uuid, [](unsigned char one) { return one == 0; })) return {};
  std::string domain;
  for (const unsigned char one : fabric.cluster_uuid) domain += fmt::format("{:02x}", one);
  return fmt::format("{}.{}", domain, fabric.clique);
}

template <class Info>
NvlinkFabric fabric_of(const Info& fabric) {
  return {.state = fabric.state, .status = static_cast<unsigned>(fabric.status), .domain = domain_of(fabric)};
}

}  // namespace

std::optional<bool> NvmlDevice::sram_threshold_exceeded() const {
  NvmlSramErrors errors{};
  errors.version = nvml_sram_errors_version;
  if (!works(library_->call.sram_errors, handle_, &errors)) return {};
  return errors.threshold_exceeded != 0;
}

std::optional<NvlinkFabric> NvmlDevice::fabric() const {
  for (const unsigned version : {nvml_fabric_version_3, nvml_fabric_version_2}) {
    NvmlFabricHealth told{};
    told.version = version;
    if (!works(library_->call.fabric_health, handle_, &told)) continue;
    NvlinkFabric fabric = fabric_of(told);
    fabric.health = FabricHealth{.mask = told.health_mask};
    if (version == nvml_fabric_version_3) fabric.health->summary = told.health_summary;
    return fabric;
  }
  NvmlFabric told{};
  if (!works(library_->call.fabric, handle_, &told)) return {};
  return fabric_of(told);
}

std::optional<unsigned> NvmlDevice::recovery_action() const {
  const auto action = read_field(library_->call, handle_, nvml_field_recovery_action);
  return action ? std::optional(static_cast<unsigned>(*action)) : std::nullopt;
}

std::optional<std::vector<unsigned>> NvmlDevice::compute_processes() const {
  constexpr unsigned most = 256;
  std::vector<NvmlProcess> processes(most);
  unsigned count = most;
  if (!works(library_->call.compute_processes, handle_, &count, processes.data())) return {};
  std::vector<unsigned> pids;
  for (unsigned at = 0; at < count; ++at) pids.push_back(processes[at].pid);
  return pids;
}

namespace {

Nvlink read_nvlink(const NvmlFunctions& call, NvmlHandle device, unsigned index, bool active) {
  const auto count = [&](NvmlField field) { return read_field(call, device, field, index); };
  Nvlink link{.index = static_cast<int>(index),
              .active = active,
              .replays = count(nvml_field_nvlink_replays),
              .recoveries = count(nvml_field_nvlink_recoveries),
              .crc_errors = count(nvml_field_nvlink_crc_errors),
              .receive_errors = {},
              .integrity_errors = {}};
  if (link.replays || link.recoveries || link.crc_errors) return link;
  link.receive_errors = count(nvml_field_nvlink5_receive_errors);
  link.integrity_errors = count(nvml_field_nvlink5_integrity_errors);
  link.recoveries = count(nvml_field_nvlink5_recoveries);
  return link;
}

}  // namespace

std::optional<std::vector<Nvlink>> NvmlDevice::nvlinks() const {
  constexpr NvmlReturn no_such_link = 2, has_no_links = 3;  // NVML_ERROR_INVALID_ARGUMENT, _NOT_SUPPORTED
  const NvmlFunctions& call = library_->call;
  if (call.nvlink_state == nullptr) return {};
  std::vector<Nvlink> links;
  for (unsigned index = 0; index < nvml_most_nvlinks; ++index) {
    int state = 0;
    const NvmlReturn result = call.nvlink_state(handle_, index, &state);
    if (result == no_such_link || result == has_no_links) continue;
    if (result != 0) return {};
    links.push_back(read_nvlink(call, handle_, index, state == 1));
  }
  return links;
}

std::optional<std::vector<C2cLink>> NvmlDevice::c2c_links() const {
  constexpr std::uint64_t most = 64;  // more cannot be right
  const NvmlFunctions& call = library_->call;
  const auto count = read_field(call, handle_, nvml_field_c2c_links);
  if (!count || *count > most) return {};
  std::vector<C2cLink> links;
  for (unsigned index = 0; index < *count; ++index) {
    const auto read = [&](NvmlField field) { return read_field(call, handle_, field, index); };
    C2cLink link{.index = static_cast<int>(index),
                 .active = {},
                 .mb_per_s = read(nvml_field_c2c_mb_per_s),
                 .crc_errors = read(nvml_field_c2c_crc_errors),
                 .replays = read(nvml_field_c2c_replays),
                 .repeated_replays = read(nvml_field_c2c_repeated_replays)};
    if (const auto active = read(nvml_field_c2c_active)) link.active = *active == 1;
    links.push_back(link);
  }
  return links;
}

}  // namespace assay::machine
