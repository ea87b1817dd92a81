// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// The NVLink fabric and who sets it up, and what is between a GPU and an adapter.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <sstream>

#include "harness/core/version.hpp"
#include "harness/front/health/checks/checks.hpp"

namespace assay::health {
namespace {

enum FabricState : unsigned { unsupported, not_started, in_progress, completed };

/// Returns whether it is known to be in the fabric.
bool judge_member(const GpuState& gpu, Findings& findings) {
  if (!gpu.fabric_state || !gpu.fabric_status) {
    findings.unknown(gpu.unit(), "the driver does not report whether it joined the NVLink fabric");
    return false;
  }
  const Advice advice{"CUDA does not start on it before the fabric manager has set up its NVLinks",
                      Action::configure};
  if (*gpu.fabric_state == unsupported)
    findings.passed(gpu.unit(), "it asks for no fabric");
  else if (*gpu.fabric_state == completed && *gpu.fabric_status == 0)
    findings.passed(gpu.unit(), "joined the NVLink fabric");
  else if (*gpu.fabric_state == completed)
    findings.add(Status::failed, gpu.unit(),
                 fmt::format("joined the NVLink fabric with error {}", *gpu.fabric_status), advice);
  else if (*gpu.fabric_state == not_started || *gpu.fabric_state == in_progress)
    findings.add(Status::failed, gpu.unit(),
                 *gpu.fabric_state == not_started ? "joining the NVLink fabric has not started"
                                                  : "joining the NVLink fabric is not complete",
                 advice);
  else
    findings.unknown(gpu.unit(), fmt::format("its state in the NVLink fabric is {}", *gpu.fabric_state));
  return *gpu.fabric_state == completed && *gpu.fabric_status == 0;
}

void judge_manager(const Platform& platform, bool all_joined, Findings& findings) {
  if (!platform.runs(fabric_manager_service)) {
    const std::string evidence = fmt::format("{} NVSwitches, and nv-fabricmanager is not among the processes",
                                             platform.nvswitches.size());
    if (all_joined)
      return findings.add(
          Status::noticed, "", evidence,
          {"it stopped, or runs outside this container: a link that fails is not handled", Action::monitor});
    return findings.add(Status::failed, "", evidence,
                        {"start nvidia-fabricmanager: NVLinks stay unused without it", Action::configure});
  }
  const std::string& own = platform.fabric_manager_version;
  if (own.empty() || platform.driver_version.empty())
    return findings.unknown("", own.empty()
                                    ? "nv-fabricmanager does not report its version"
                                    : "/proc/driver/nvidia/version does not report the driver's version");
  if (own != platform.driver_version)
    return findings.add(
        Status::failed, "",
        fmt::format("fabric manager {}, driver {} expected", own, platform.driver_version),
        {"it starts with the driver of its own version only: install that", Action::configure});
  findings.passed("", fmt::format("fabric manager {}, as the driver", own));
}

void judge_fabric_manager(const Scene& scene, Findings& findings) {
  if (no_fabric(scene, findings)) return;
  const Platform& platform = scene.now.platform;
  bool all_joined = !scene.now.gpus.empty();
  for (const GpuState& gpu : scene.now.gpus)
    if (gpu.lost.empty()) all_joined = judge_member(gpu, findings) && all_joined;
  if (!platform.nvswitches.empty()) judge_manager(platform, all_joined, findings);
}

/// A node that no expectation promises to programs of this CUDA may serve all others.
void judge_driver_age(const Scene& scene, Findings& findings) {
  if (no_gpu(scene, findings)) return;
  const machine::CudaDriver& driver = scene.now.driver;
  if (driver.installed.empty()) return findings.unknown("", "the driver does not report its version");
  const std::string toolkit = scene.expected.cuda.value_or(core::cuda_toolkit());
  if (toolkit.empty()) return findings.absent("this build has no CUDA, and none is expected");
  const auto old = machine::driver_too_old(driver, toolkit);
  if (!old) return findings.passed("", fmt::format("driver {}, for CUDA {}", driver.installed, toolkit));
  if (const auto compatibility = machine::forward_compatibility(driver, toolkit))
    return findings.passed("", machine::with_forward_compatibility(driver, *compatibility));
  findings.add(scene.expected.cuda ? Status::failed : Status::noticed, "", old->what,
               {old->ways, Action::configure});
}

bool has_gpu_and_adapter(const Scene& scene, Findings& findings) {
  const bool adapter =
      std::ranges::any_of(scene.now.hcas, [](const machine::Hca& hca) { return !hca.software; });
  if (!scene.now.pci_gpus.empty() && adapter) return true;
  if (scene.now.pci_seen)
    findings.absent("no GPU, or no adapter");
  else
    findings.unknown("", "no PCI bus can be seen");
  return false;
}

/// Linux 5.12 lets an adapter's driver take memory as a dma-buf, which NVIDIA's open modules export.
std::optional<bool> takes_dma_buf(const Scene& scene) {
  int major = 0, minor = 0;
  char dot = 0;
  std::istringstream release(scene.now.kernel_release);
  if (scene.now.platform.driver_text.empty() || !(release >> major >> dot >> minor)) return {};
  const bool open = scene.now.platform.driver_text.find("Open Kernel Module") != std::string::npos;
  return open && std::pair(major, minor) >= std::pair(5, 12);
}

void judge_peer_memory(const Scene& scene, Findings& findings) {
  if (!has_gpu_and_adapter(scene, findings)) return;
  if (scene.now.platform.peer_memory) return findings.passed("", "nvidia_peermem is loaded");
  const std::optional<bool> dma_buf = takes_dma_buf(scene);
  if (!dma_buf)
    return findings.unknown(
        "", "nvidia_peermem is not loaded, and driver or kernel do not report whether they have dma-buf");
  if (!*dma_buf)
    return findings.add(
        Status::failed, "",
        "nvidia_peermem is not loaded, and dma-buf needs Linux 5.12 and NVIDIA's open modules",
        {"adapters cannot read the memory of GPUs: every message passes the host. Load "
         "nvidia_peermem",
         Action::configure});
  findings.passed("", "dma-buf: NVIDIA's open modules on Linux " + scene.now.kernel_release);
}

/// ACS bits that send a request or its completion up to the root complex, and the one that lets translated
/// requests pass.
constexpr unsigned redirects = 0x4 | 0x8, passes_translated = 0x40;

void judge_access_control(const Scene& scene, Findings& findings) {
  if (!scene.now.pci_seen) return findings.unknown("", "no PCI bus can be seen");
  if (scene.now.platform.bridges.empty())
    return findings.absent("no GPU shares a PCIe switch with an adapter");
  for (const Bridge& bridge : scene.now.platform.bridges) {
    const std::string unit = "bridge " + bridge.address;
    const unsigned control = bridge.acs_control.value_or(0);
    if (!bridge.why_unknown.empty())
      findings.unknown(unit, bridge.why_unknown);
    else if ((control & redirects) != 0 && (control & passes_translated) == 0)
      findings.add(Status::noticed, unit, fmt::format("access control (ACS) 0x{:x}, 0 expected", control),
                   {"what a GPU and its adapter exchange goes up to the root complex, at a fraction of the "
                    "switch's rate: turn ACS off unless a virtual machine needs it",
                    Action::configure});
    else
      findings.passed(unit,
                      bridge.acs_control ? fmt::format("ACS 0x{:x} redirects nothing", control) : "no ACS");
  }
}

void judge_translation(const Scene& scene, Findings& findings) {
  if (!scene.now.pci_seen) return findings.unknown("", "no PCI bus can be seen");
  if (scene.now.platform.iommu.empty()) return findings.absent("no GPU and no adapter on the PCI bus");
  for (const IommuDomain& domain : scene.now.platform.iommu)
    if (!domain.grouped)
      findings.passed(domain.unit, "no IOMMU in use");
    else if (domain.type == "identity")
      findings.passed(domain.unit, "IOMMU in passthrough");
    else if (domain.type.empty())
      findings.unknown(domain.unit, "the kernel does not report how the IOMMU treats it");
    else
      findings.add(
          Status::noticed, domain.unit, fmt::format("IOMMU domain {}, identity expected", domain.type),
          {"every address it uses is translated, which costs host copies and GPUDirect bandwidth: boot "
           "with iommu=pt",
           Action::configure});
}

/// Bit of adjtimex(2).
constexpr std::uint64_t clock_unsynchronised = 0x40;
constexpr double most_offset_us = 10'000;  // of two nodes' logs that are to be put in order

void judge_clock(const Scene& scene, Findings& findings) {
  const auto& clock = scene.now.platform.clock;
  if (!clock) return findings.unknown("", "adjtimex does not report the clock's state");
  std::vector<std::string> by;
  for (const char* service : clock_services)
    if (scene.now.platform.runs(service)) by.emplace_back(service);
  const std::string who = by.empty() ? "" : fmt::format(", by {}", fmt::join(by, ", "));
  if ((clock->status & clock_unsynchronised) != 0)
    return findings.add(
        Status::noticed, "", fmt::format("status 0x{:x}: not synchronised{}", clock->status, who),
        {"times in logs and records of several nodes cannot be compared: run chronyd (rtcsync) or "
         "phc2sys",
         Action::configure});
  const std::string evidence =
      fmt::format("{:.0f} us off, at most {:.0f} us{}", clock->offset_us, clock->largest_error_us, who);
  if (std::abs(clock->offset_us) > most_offset_us)
    return findings.add(Status::noticed, "", fmt::format("{}; {:.0f} us expected", evidence, most_offset_us),
                        {"the clock is still being corrected", Action::monitor});
  findings.passed("", evidence);
}

constexpr Check listed_platform_checks[] = {
    {"gpu.driver", "the driver starts programs of the expected CUDA, or of this build's", judge_driver_age},
    {"gpu.fabric_manager", "NVSwitch systems: every GPU joined the fabric, manager and driver of one version",
     judge_fabric_manager},
    {"gpu.fabric_health",
     "bandwidth, routes and configuration of the NVLink fabric, as the driver reports them",
     judge_fabric_health},
    {"gpu.peer_memory", "adapters can read the memory of GPUs: nvidia_peermem or dma-buf", judge_peer_memory},
    {"pcie.acs", "no port between a GPU and its adapter redirects to the root complex", judge_access_control},
    {"pcie.iommu", "IOMMU off or in passthrough for GPUs and adapters", judge_translation},
    {"host.clock", "the clock is synchronised", judge_clock},
};

}  // namespace

std::span<const Check> platform_checks() { return listed_platform_checks; }

}  // namespace assay::health
