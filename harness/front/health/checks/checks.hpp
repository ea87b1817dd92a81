// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// The health checks: a table of names, what each looks at, and a function that judges two readings.
#pragma once

#include <functional>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "harness/front/health/expectation.hpp"
#include "harness/front/health/finding.hpp"
#include "harness/front/health/snapshot/snapshot.hpp"

namespace assay::health {

/// The machine that a check judges: as it is, as it was when the window began, and as expected.
struct Scene {
  const Snapshot& before;
  const Snapshot& now;
  const Expectation& expected;
};

struct Check {
  std::string_view name;   // gpu.row_remap
  std::string_view about;  // what it looks at
  void (*judge)(const Scene&, Findings&);
};

/// Checks in the order in which they are listed.
std::span<const Check> all_checks();

/// Throws a usage Error for a name that is not a check's.
void require_known(const std::set<std::string>& names);

/// Every check but the waived ones. Each leaves at least one finding: `unknown` if it found nothing.
/// Throws a usage Error for a waived check that does not exist.
std::vector<Finding> judge(const Scene& scene, const std::set<std::string>& waived = {});

// Checks grouped by what they look at; each file holds its own.
std::span<const Check> gpu_checks();
std::span<const Check> gpu_state_checks();
std::span<const Check> pcie_checks();
std::span<const Check> counter_checks();
std::span<const Check> rdma_checks();
std::span<const Check> rdma_counter_checks();
std::span<const Check> rdma_place_checks();
std::span<const Check> module_checks();
std::span<const Check> platform_checks();
std::span<const Check> storage_checks();
std::span<const Check> parts_checks();
std::span<const Check> job_checks();
std::span<const Check> kernel_checks();

/// Neither empty nor one of the words that stand for a value that was not read, in brackets or without.
bool is_reported(const std::optional<std::string>& text);

void judge_identity(const Scene& scene, Findings& findings);  // of GPUs
void judge_fabric_health(const Scene& scene, Findings& findings);

/// Says that no GPU asks for an NVLink fabric and that there is no NVSwitch, and is then true.
bool no_fabric(const Scene& scene, Findings& findings);

/// Says why there is nothing to look at, and is then true: no GPU at all (absent), or one that the driver
/// does not list (unknown).
bool no_gpu(const Scene& scene, Findings& findings);

/// Every GPU that the driver could open; see no_gpu() where there is none at all.
void of_each_gpu(const Scene& scene, Findings& findings, const std::function<void(const GpuState&)>& judge);

/// Says that there is no RDMA device, and is then true.
bool no_hca(const Scene& scene, Findings& findings);

std::string unit_of(const machine::Hca& hca);  // "mlx5_2/1"

/// True if both are below one PCIe switch.
bool same_switch(const machine::PcieLink& one, const machine::PcieLink& other);

/// Whether this port carries the traffic of GPUs: every port, unless the expectation names the rails.
bool is_rail(const Scene& scene, const machine::Hca& hca);
/// failed for a rail; what is wrong with another port is at most noticed.
Status worst_for(const Scene& scene, const machine::Hca& hca);

}  // namespace assay::health
