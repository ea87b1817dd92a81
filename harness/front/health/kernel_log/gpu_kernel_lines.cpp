// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Lines that NVIDIA's drivers write besides Xids and SXids, which kernel_events.cpp reads.
#include "harness/front/health/kernel_log/kernel_lines.hpp"

namespace assay::health {
namespace gpu_log {
namespace {

constexpr std::string_view driver = "kernel.driver", xid = "kernel.xid", sxid = "kernel.sxid";
constexpr std::string_view lost_gpu = "GPU off the bus", no_start = "GPU initialisation";
constexpr std::string_view lost = "a GPU fell off the bus", not_started = "the driver could not start a GPU";
constexpr std::string_view dumb = "a GPU's system processor does not answer";

constexpr KnownLine lines[] = {
    {driver, lost_gpu, "fallen off the bus", Status::failed, Action::reboot, lost},
    {driver, lost_gpu, "lost from the bus", Status::failed, Action::reboot, lost},
    {driver, lost_gpu, "NVRM*GPU is lost", Status::failed, Action::reboot, lost},
    {driver, lost_gpu, "NV_ERR_GPU_IS_LOST", Status::failed, Action::reboot, lost},
    {driver, no_start, "RmInitAdapter failed", Status::failed, Action::reset, not_started},
    {driver, no_start, "rm_init_adapter failed", Status::failed, Action::reset, not_started},
    {driver, no_start, "<nvidia*probe*failed with error", Status::failed, Action::reset, not_started},
    {driver, no_start, "NVRM*probe routine*failed", Status::failed, Action::reset, not_started},
    {driver, no_start, "NVRM*probe routine was not called", Status::failed, Action::configure, not_started},
    {driver, no_start, "NVRM*None of the NVIDIA*initialized", Status::failed, Action::reset, not_started},
    {driver, no_start, "NVRM*No NVIDIA*found", Status::failed, Action::reseat, not_started},
    {driver, no_start, "NVRM*I/O region assigned*is invalid", Status::failed, Action::configure, not_started},
    {driver, no_start, "NVRM*failed to copy vbios", Status::failed, Action::reset, not_started},
    {driver, no_start, "NVRM*annot attach gpu", Status::failed, Action::reset, not_started},
    {driver, "GPU processor", "NVRM*imeout*RPC from GSP", Status::failed, Action::reset, dumb},
    {driver, "GPU processor", "NVRM*imed out*GSP", Status::failed, Action::reset, dumb},
    {driver, "GPU processor", "NVRM*rpcSendMessage failed", Status::failed, Action::reset, dumb},
    {driver, "GPU processor", "NVRM*HeartbeatTimedOut", Status::failed, Action::reset, dumb},
    {driver, "GPU processor", "NVRM*GPU is probably locked", Status::failed, Action::reset, dumb},
    {driver, "GPU crash", "NVRM*crash dump has been created", Status::failed, Action::reset,
     "a GPU crashed and its driver kept a dump of it"},
    {driver, "GPU interrupts", "NVRM*unhandled interrupt threshold", Status::failed, Action::reset,
     "a GPU raises interrupts that its driver cannot handle"},
    {driver, "GPU driver versions", "NVRM*API mismatch", Status::failed, Action::configure,
     "the GPU driver's module and its libraries are of different versions"},
    {driver, "GPU display engine", "nvidia-modeset: ERROR*waiting for GPU progress", Status::failed,
     Action::reset, "a GPU does not make progress"},
    {xid, "Xid in another form", "<Xid", Status::unknown, Action::drain,
     "an Xid in a form that this version does not know"},
    {sxid, "SXid in another form", "<SXid", Status::unknown, Action::drain,
     "an SXid in a form that this version does not know"},
};

}  // namespace
}  // namespace gpu_log

std::span<const KnownLine> gpu_lines() { return gpu_log::lines; }

}  // namespace assay::health
