// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Lines that the drivers of network adapters write, mlx5 above all (Linux,
// drivers/net/ethernet/mellanox/mlx5/core: health.c, cmd.c, events.c, main.c;
// drivers/net/ethernet/broadcom/bnxt; drivers/infiniband/hw: efa, irdma).
#include "harness/front/health/kernel_log/kernel_lines.hpp"

namespace assay::health {
namespace adapter_log {
namespace {

constexpr std::string_view mlx5 = "kernel.mlx5", driver = "kernel.driver";
constexpr std::string_view faulty = "the adapter reports a fault", mute = "the adapter does not answer";
constexpr std::string_view no_start = "the driver could not start the adapter";
constexpr std::string_view not_recovered = "the adapter failed and did not recover";
constexpr std::string_view stuck_queue = "packets of a queue are not sent any more";

constexpr KnownLine lines[] = {
    {mlx5, "mlx5 command timeout", "mlx5*timeout. Will cause a leak", Status::failed, Action::drain, mute},
    {mlx5, "mlx5 command timeout", "mlx5*recovered after timeout", Status::failed, Action::drain, mute},
    {mlx5, "mlx5 command timeout", "mlx5*arrived after timeout", Status::failed, Action::drain, mute},
    {mlx5, "mlx5 command timeout", "mlx5*No done completion", Status::failed, Action::drain, mute},
    {mlx5, "mlx5 health", "mlx5*health compromised", Status::failed, Action::drain, faulty},
    {mlx5, "mlx5 health", "mlx5*Health issue observed", Status::failed, Action::drain, faulty},
    {mlx5, "mlx5 health", "mlx5*<assert_", Status::failed, Action::drain, faulty},
    {mlx5, "mlx5 health", "mlx5*<synd 0x", Status::failed, Action::drain, faulty},
    {mlx5, "mlx5 health", "mlx5*handling bad device", Status::failed, Action::drain, faulty},
    {mlx5, "mlx5 health", "mlx5*poll_health", Status::failed, Action::drain, faulty},
    {mlx5, "mlx5 health", "mlx5*health poll", Status::failed, Action::drain, faulty},
    {mlx5, "mlx5 recovery", "mlx5*health recovery", Status::failed, Action::drain, not_recovered},
    {mlx5, "mlx5 recovery", "mlx5*recovery*aborted", Status::failed, Action::drain, not_recovered},
    {mlx5, "mlx5 recovery", "mlx5*recovery*failed", Status::failed, Action::drain, not_recovered},
    {mlx5, "mlx5 recovery", "mlx5*error_sw_reset", Status::failed, Action::drain, faulty},
    {mlx5, "mlx5 recovery", "mlx5*NIC IFC still", Status::failed, Action::drain, not_recovered},
    {mlx5, "mlx5 recovery", "mlx5*Expected to see disabled NIC", Status::failed, Action::drain,
     not_recovered},
    {mlx5, "mlx5 fatal", "mlx5*atal error", Status::failed, Action::drain, "the adapter failed"},
    {mlx5, "mlx5 fatal", "mlx5*internal error", Status::failed, Action::drain, "the adapter failed"},
    {mlx5, "mlx5 PCIe", "mlx5*pci_err_detected", Status::failed, Action::drain,
     "PCIe errors took the adapter from its driver"},
    {mlx5, "mlx5 start", "mlx5*probe*failed with error", Status::failed, Action::drain, no_start},
    {mlx5, "mlx5 start", "mlx5*load_one failed", Status::failed, Action::drain, no_start},
    {mlx5, "mlx5 start", "mlx5*init_one failed", Status::failed, Action::drain, no_start},
    {mlx5, "mlx5 start", "mlx5*pre-initializing state", Status::failed, Action::drain, no_start},
    {mlx5, "mlx5 start", "mlx5*aiting for FW initialization", Status::failed, Action::drain, no_start},
    {mlx5, "mlx5 start", "mlx5*nable hca failed", Status::failed, Action::drain, no_start},
    {mlx5, "mlx5 cable", "mlx5*Cable error", Status::failed, Action::reseat,
     "the port's cable or module is faulty"},
    {mlx5, "mlx5 cable", "mlx5*module event[error]", Status::failed, Action::reseat,
     "the port's cable or module is faulty"},
    {mlx5, "mlx5 cable", "mlx5*Cable unplugged", Status::failed, Action::reseat, "a port's cable was pulled",
     EventScope::only_in_service},
    {mlx5, "mlx5 heat", "mlx5*High temp", Status::failed, Action::drain, "the adapter is too hot"},
    {mlx5, "mlx5 power", "mlx5*insufficient power", Status::failed, Action::reseat,
     "the slot gives the adapter too little power"},
    {mlx5, "mlx5 queue", "mlx5*TX timeout", Status::failed, Action::drain, stuck_queue},
    {mlx5, "mlx5 queue", "mlx5*CQ error", Status::failed, Action::drain, "a completion queue failed"},
    {mlx5, "mlx5 link down", "mlx5*Link down", Status::failed, Action::reseat, "a port lost its link",
     EventScope::in_service},
    // Linux 6.14, drivers/infiniband/core/cache.c, whatever name udev gave the device; a port without a
    // netdev has only this. efa and irdma write no line of their own; irdma's netdevs are ice's and i40e's.
    {mlx5, "RDMA link down", ": Port: *Link DOWN", Status::failed, Action::reseat, "a port lost its link",
     EventScope::in_service},
    {driver, "network link down", "bnxt_en*NIC Link is Down", Status::failed, Action::reseat,
     "a port lost its link", EventScope::in_service},
    {driver, "network link down", "<ice*NIC Link is Down", Status::failed, Action::reseat,
     "a port lost its link", EventScope::in_service},
    {driver, "network link down", "<i40e*NIC Link is Down", Status::failed, Action::reseat,
     "a port lost its link", EventScope::in_service},
    {mlx5, "mlx5 refused command", "mlx5*cmd_out_err", Status::noticed, Action::monitor,
     "the adapter refused a command of its driver"},
    {mlx5, "mlx5 refused command", "mlx5*cmd_check", Status::noticed, Action::monitor,
     "the adapter refused a command of its driver"},
    {driver, "bnxt firmware", "bnxt_en*irmware not responding", Status::failed, Action::drain, mute},
    {driver, "bnxt firmware", "bnxt_en*irmware fatal", Status::failed, Action::drain, faulty},
    {driver, "bnxt firmware", "bnxt_en*Error (timeout", Status::failed, Action::drain, mute},
    {driver, "irdma fault", "critical PE Error, GLPE_CRITERR", Status::failed, Action::drain, faulty},
    {driver, "irdma fault", "<ice*: HMC Error", Status::failed, Action::drain, faulty},
    {driver, "irdma fault", "<ice*: PE Push Error", Status::failed, Action::drain, faulty},
    {driver, "efa command timeout", "<efa*The device didn't send any completion", Status::failed,
     Action::drain, mute},
    {driver, "efa command timeout", "<efa*didn't receive any MSI-X interrupt", Status::failed, Action::drain,
     mute},
    {driver, "efa command timeout", "<efa*Wait for completion (polling) timeout", Status::failed,
     Action::drain, mute},
    {driver, "efa register", "<efa*Reading register timed out", Status::failed, Action::drain, mute},
    {driver, "efa reset", "<efa*Reset indication didn't turn", Status::failed, Action::drain, mute},
    {driver, "efa reset", "<efa*Device isn't ready", Status::failed, Action::drain, mute},
    {driver, "efa command timeout", "<efa*Admin queue is closed", Status::failed, Action::drain, mute},
    {driver, "efa start", "<efa*EFA device init failed", Status::failed, Action::drain, no_start},
    {driver, "network queue", "NETDEV WATCHDOG", Status::failed, Action::drain, stuck_queue},
};

}  // namespace
}  // namespace adapter_log

std::span<const KnownLine> adapter_lines() { return adapter_log::lines; }

}  // namespace assay::health
