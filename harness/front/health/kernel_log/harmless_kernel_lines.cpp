// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Lines that healthy machines write: words such as "error", "timeout" or "panic" in them report no fault.
#include "harness/front/health/kernel_log/kernel_lines.hpp"

namespace assay::health {
namespace harmless_log {
namespace {

constexpr std::string_view harmless[] = {
    // Text that the administrator wrote, and what the kernel echoes of it.
    "^Command line: ",
    "^Kernel command line: ",
    "^Unknown kernel command line parameters",
    "^printk: log_buf_len",
    // Programs that write into the kernel's log: names of services, events of access control.
    "^systemd[",
    "^systemd-",
    "^audit: ",
    "^traps: *] trap int3",
    // Handlers of errors that start.
    "^mce: CPU supports",
    "^mce: Using ",
    "^mce: CPU*Thermal monitoring enabled",
    "^MCE: In-kernel MCE decoding enabled",
    "^RAS: Correctable Errors collector initialized",
    "^EDAC MC: Ver",
    "^EDAC *Giving out device to module",
    "^HEST: ",
    "^ERST: Error Record Serialization Table",
    "^GHES: APEI firmware first mode",
    "AER: enabled with IRQ",
    "DPC: enabled with IRQ",
    "DPC: error containment capabilities",
    "DPC: RP PIO log size",
    "NMI watchdog: Enabled",
    "NMI watchdog: Perf NMI watchdog permanently disabled",
    "nmi_watchdog*enabled",
    "INFO: NMI handler",
    "CMCI storm subsided",
    "temperature/speed normal",
    "CPU*temperature is below threshold",
    // Drivers of GPUs, adapters and drives.
    "^nvidia: module verification failed",
    "^nvidia: module license",
    "^nvidia: loading out-of-tree module",
    "^NVRM: loading NVIDIA",
    "^NVRM: Persistence mode is deprecated",
    "^NVRM*NV_ERR_NOT_SUPPORTED",
    "^NVRM*NV_ERR_NO_MEMORY",  // a program asked for more memory than the GPU has
    "mlx5*dump_cqe",           // of a connection whose peer ended, and the bytes below it
    "mlx5*dump error cqe",
    "mlx5_core*FWTracer",
    "mlx5_core*health recovery succeeded",
    "mlx5_core*Error recovery is supported",
    "<nvme*Shutdown timeout set to",
    "<nvme*failed to set APST feature",
    "<nvme*missing or invalid SUBNQN",
};

}  // namespace
}  // namespace harmless_log

std::span<const std::string_view> harmless_lines() { return harmless_log::harmless; }

}  // namespace assay::health
