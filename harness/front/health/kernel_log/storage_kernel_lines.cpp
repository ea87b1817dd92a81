// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Drives and file systems (Linux, drivers/nvme/host/pci.c, block/blk-core.c, fs/ext4/super.c,
// fs/xfs/xfs_message.c).
#include "harness/front/health/kernel_log/kernel_lines.hpp"

namespace assay::health {
namespace storage_log {
namespace {

constexpr std::string_view storage = "kernel.storage";
constexpr std::string_view silent = "a drive does not answer", bad_io = "a drive lost data or did not answer";
constexpr std::string_view bad_files = "a file system is damaged or was stopped";

constexpr KnownLine lines[] = {
    {storage, "drive without medium", "error, dev fd", Status::noticed, Action::monitor,
     "a drive without a medium was read"},
    {storage, "drive without medium", "error, dev sr", Status::noticed, Action::monitor,
     "a drive without a medium was read"},
    {storage, "drive gone", "<nvme*controller is down", Status::failed, Action::replace, silent},
    {storage, "drive gone", "<nvme*after probe failure", Status::failed, Action::replace, silent},
    {storage, "drive gone", "<nvme*after reset failure", Status::failed, Action::replace, silent},
    {storage, "drive gone", "<nvme*probe*failed with error", Status::failed, Action::replace, silent},
    {storage, "drive gone", "<nvme*evice not ready", Status::failed, Action::replace, silent},
    {storage, "drive gone", "<nvme*frozen state error", Status::failed, Action::drain, silent},
    {storage, "drive gone", "<nvme*failed state error", Status::failed, Action::drain, silent},
    {storage, "drive gone", "<nvme*capacity change from*to 0", Status::failed, Action::replace, silent},
    {storage, "drive gone", "<mpt3sas*fault_state", Status::failed, Action::drain, silent},
    {storage, "drive gone", "in FAULT state", Status::failed, Action::drain, silent},
    {storage, "drive gone", "<nvme*Abort status", Status::failed, Action::drain, silent},
    {storage, "drive timeout", "<nvme*timeout, ", Status::failed, Action::drain, silent},
    {storage, "drive reset", "<nvme*resetting controller", Status::noticed, Action::monitor,
     "a drive was reset"},
    {storage, "drive gone", "rejecting I/O to", Status::failed, Action::replace, silent},
    {storage, "path lost", "nvme*no available path - failing I/O", Status::failed, Action::drain,
     "no path leads to a drive any more"},
    {storage, "path lost", "nvme*no usable path - requeuing I/O", Status::noticed, Action::monitor,
     "no path led to a drive for a while"},
    {storage, "beyond the end", "attempt to access beyond end of device", Status::failed, Action::drain,
     "a file system is larger than its device"},
    {storage, "I/O error", "I/O error", Status::failed, Action::drain, bad_io},
    {storage, "I/O error", "I/O Error", Status::failed, Action::drain, bad_io},
    {storage, "I/O error", "<critical medium error", Status::failed, Action::replace, bad_io},
    {storage, "I/O error", "<critical target error", Status::failed, Action::drain, bad_io},
    {storage, "I/O error", "<nvme*I/O Cmd*sct 0x", Status::failed, Action::drain, bad_io},
    {storage, "I/O error", "Sense Key : Medium Error", Status::failed, Action::replace, bad_io},
    {storage, "I/O error", "Sense Key : Hardware Error", Status::failed, Action::replace, bad_io},
    {storage, "I/O error", "FAILED Result: hostbyte=", Status::failed, Action::drain, bad_io},
    {storage, "I/O error", "<ata*exception Emask", Status::failed, Action::drain, bad_io},
    {storage, "I/O error", "<md/raid*Disk failure", Status::failed, Action::replace, bad_io},
    {storage, "I/O error", "<device-mapper*Failing path", Status::failed, Action::drain, bad_io},
    // Not "EXT4-fs*error": a mount prints its options, errors=remount-ro among them.
    {storage, "file system", "<EXT4-fs error", Status::failed, Action::drain, bad_files},
    {storage, "file system", "EXT4-fs*error count since last fsck", Status::failed, Action::drain, bad_files},
    {storage, "file system", "JBD2*rror", Status::failed, Action::drain, bad_files},
    {storage, "file system", "Aborting journal", Status::failed, Action::drain, bad_files},
    {storage, "file system", "XFS*orruption", Status::failed, Action::drain, bad_files},
    {storage, "file system", "XFS*rror", Status::failed, Action::drain, bad_files},
    {storage, "file system", "XFS*orce_shutdown", Status::failed, Action::drain, bad_files},
    {storage, "file system", "hut down*filesystem", Status::failed, Action::drain, bad_files},
    {storage, "file system", "ilesystem has been shut down", Status::failed, Action::drain, bad_files},
    {storage, "file system", "emounting filesystem read-only", Status::failed, Action::drain, bad_files},
    {storage, "file system", "<BTRFS error", Status::failed, Action::drain, bad_files},
    {storage, "file system", "<BTRFS critical", Status::failed, Action::drain, bad_files},
    {storage, "file server", "<nfs: server*not responding", Status::noticed, Action::monitor,
     "a file server did not answer for a while"},
};

}  // namespace
}  // namespace storage_log

std::span<const KnownLine> storage_lines() { return storage_log::lines; }

}  // namespace assay::health
