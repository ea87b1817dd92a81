// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "harness/front/health/checks/check_components.hpp"

#include <algorithm>
#include <array>

#include "harness/front/health/kernel_log/manager_log.hpp"

namespace assay::health {
namespace {

// A failing part is seen by general checks too: those that name it come first.
constexpr std::array components_of_checks{
    CheckComponent{"gpu.row_remap", "hbm"},
    CheckComponent{"gpu.sram", "gpu_sram"},
    CheckComponent{"gpu.ecc_errors", "hbm"},
    CheckComponent{"gpu.nvlink_state", "nvlink"},
    CheckComponent{"gpu.nvlink_errors", "nvlink"},
    CheckComponent{"gpu.fabric_health", "nvlink"},
    CheckComponent{"gpu.throttle", "gpu_thermal"},
    CheckComponent{"gpu.throttle_time", "gpu_thermal"},
    CheckComponent{"kernel.xid", "gpu"},
    CheckComponent{"kernel.sxid", "nvlink"},
    CheckComponent{manager_log_check, "nvlink"},
    CheckComponent{"gpu.recovery_action", "gpu"},
    CheckComponent{"gpu.count", "gpu"},
    CheckComponent{"gpu.c2c_state", "gpu"},
    CheckComponent{"gpu.c2c_errors", "gpu"},
    CheckComponent{"kernel.memory", "memory"},
    CheckComponent{"host.memory_errors", "memory"},
    CheckComponent{"kernel.mlx5", "nic"},
    CheckComponent{"rdma.present", "nic"},
    CheckComponent{"rdma.port_state", "link"},
    CheckComponent{"rdma.rate", "link"},
    CheckComponent{"rdma.counters", "link"},
    CheckComponent{"rdma.history", "link"},
    CheckComponent{"rdma.flaps", "link"},
    CheckComponent{"rdma.module", "link"},
    CheckComponent{"rdma.bit_errors", "link"},
    CheckComponent{"host.nvme", "ssd"},
    CheckComponent{"kernel.storage", "ssd"},
    CheckComponent{"kernel.thermal", "cpu"},
    CheckComponent{"gpu.pcie_replays", "io_board"},
    CheckComponent{"pcie.width", "io_board"},
    CheckComponent{"pcie.speed", "io_board"},
    CheckComponent{"pcie.aer", "io_board"},
    CheckComponent{"kernel.pcie", "io_board"},
    CheckComponent{"kernel.iommu", "host"},
    CheckComponent{"gpu.fabric_manager", "software"},
    CheckComponent{"gpu.driver", "software"},
    CheckComponent{"kernel.system", "software"},
    CheckComponent{"kernel.driver", "software"},
    CheckComponent{"kernel.unknown", "software"},
    CheckComponent{"kernel.log", ""},
    CheckComponent{"gpu.identity", ""},
    CheckComponent{"gpu.ecc_mode", ""},
    CheckComponent{"gpu.persistence", ""},
    CheckComponent{"gpu.mig", ""},
    CheckComponent{"gpu.processes", ""},
    CheckComponent{"gpu.power_limit", ""},
    CheckComponent{"rdma.link_layer", ""},
    CheckComponent{"rdma.gids", ""},
    CheckComponent{"rdma.mtu", ""},
    CheckComponent{"rdma.firmware", ""},
    CheckComponent{"pcie.numa", ""},
    CheckComponent{"pcie.pairing", ""},
    CheckComponent{"gpu.peer_memory", ""},
    CheckComponent{"pcie.acs", ""},
    CheckComponent{"pcie.iommu", ""},
    CheckComponent{"host.clock", ""},
    CheckComponent{"host.free_space", ""},
    CheckComponent{"host.parts", ""},
    CheckComponent{"host.dns", ""},
    CheckComponent{"host.registry", ""},
    CheckComponent{"host.container", ""},
    CheckComponent{"host.limits", ""},
};

}  // namespace

std::span<const CheckComponent> check_components() { return components_of_checks; }

std::size_t rank_of_check(std::string_view check) {
  return static_cast<std::size_t>(std::ranges::find(components_of_checks, check, &CheckComponent::check) -
                                  components_of_checks.begin());
}

std::string_view component_of_check(std::string_view check) {
  const std::size_t rank = rank_of_check(check);
  return rank < components_of_checks.size() ? components_of_checks[rank].component : "";
}

}  // namespace assay::health
