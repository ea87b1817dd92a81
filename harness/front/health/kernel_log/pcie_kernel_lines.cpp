// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// PCIe errors, containment, hot plugging and power (Linux, drivers/pci: pcie/aer.c, pcie/dpc.c, pcie/err.c,
// hotplug/pciehp_ctrl.c, pci.c), and faults of the memory unit that devices pass (drivers/iommu).
#include "harness/front/health/kernel_log/kernel_lines.hpp"

namespace assay::health {
namespace pcie_log {
namespace {

constexpr std::string_view pcie = "kernel.pcie", iommu = "kernel.iommu";
constexpr std::string_view gone = "a PCIe link went down or its card is gone";
constexpr std::string_view cut_off = "a PCIe port cut off what is below it after an error";
constexpr std::string_view dead = "a PCIe device does not answer", link_failed = "a PCIe link failed";
constexpr std::string_view not_recovered = "a PCIe device did not recover from an error";
constexpr std::string_view bad_address = "a device used an address that it may not: a bad device or driver";
constexpr std::string_view unit_failed = "the IOMMU does not answer";

constexpr KnownLine lines[] = {
    {pcie, "PCIe fatal", "ncorrect*(Fatal)", Status::failed, Action::drain, link_failed},
    {pcie, "PCIe non-fatal", "ncorrect*(Non-Fatal)", Status::failed, Action::reseat,
     "PCIe transactions were lost"},
    {pcie, "PCIe fatal", "AER*<fatal", Status::failed, Action::drain, link_failed},
    {pcie, "PCIe fatal", "AER*<Fatal error", Status::failed, Action::drain, link_failed},
    {pcie, "PCIe not recovered", "AER*recovery failed", Status::failed, Action::drain, not_recovered},
    {pcie, "PCIe not recovered", "AER*can't recover", Status::failed, Action::drain, not_recovered},
    {pcie, "PCIe not recovered", "AER*reset failed", Status::failed, Action::drain, not_recovered},
    {pcie, "PCIe containment", "<DPC: ", Status::failed, Action::drain, cut_off},
    {pcie, "PCIe containment", "DPC containment event", Status::failed, Action::drain, cut_off},
    {pcie, "PCIe containment", "<EDR: ", Status::failed, Action::drain, cut_off},
    {pcie, "PCIe containment", "EEH: ", Status::failed, Action::drain, cut_off},
    {pcie, "PCIe hot plug", "pciehp*Link Down", Status::failed, Action::reseat, gone},
    {pcie, "PCIe hot plug", "pciehp*Card not present", Status::failed, Action::reseat, gone},
    {pcie, "PCIe hot plug", "pciehp*Power fault", Status::failed, Action::reseat,
     "a PCIe slot reports a fault of its power"},
    {pcie, "PCIe hot plug", "pciehp*Cannot train link", Status::failed, Action::reseat, gone},
    {pcie, "PCIe hot plug", "pciehp*No link", Status::failed, Action::reseat, gone,
     EventScope::only_in_service},
    {pcie, "PCIe hot plug", "pciehp*Powering off", Status::failed, Action::reseat,
     "a PCIe slot was switched off", EventScope::only_in_service},
    {pcie, "PCIe link", "Link Active not set in", Status::failed, Action::drain, link_failed},
    {pcie, "PCIe link", "<retraining failed", Status::failed, Action::reseat, link_failed},
    {pcie, "PCIe link", "broken device, retraining", Status::failed, Action::reseat, link_failed},
    {pcie, "PCIe link", "PCIe link lost", Status::failed, Action::drain, link_failed},
    {pcie, "PCIe device gone", "device inaccessible", Status::failed, Action::reboot, dead},
    {pcie, "PCIe device gone", "config space inaccessible", Status::failed, Action::reboot, dead},
    {pcie, "PCIe device gone", "efused to change power state", Status::failed, Action::reboot, dead},
    {pcie, "PCIe device gone", "not ready*giving up", Status::failed, Action::reboot, dead},
    {pcie, "PCIe system error", "<SERR", Status::failed, Action::drain, "PCI reports a system error"},
    {pcie, "PCIe corrected", "severity=Correct", Status::noticed, Action::monitor, "a PCIe link replays"},
    {pcie, "PCIe corrected", "AER*Correct*error", Status::noticed, Action::monitor, "a PCIe link replays"},
    {pcie, "PCIe limited", "available PCIe bandwidth, limited by", Status::failed, Action::reseat,
     "a device has less PCIe than it could use", EventScope::watched},
    {iommu, "DMA fault", "DMAR*<fault", Status::failed, Action::drain, bad_address},
    {iommu, "DMA fault", "handling fault status", Status::failed, Action::drain, bad_address},
    {iommu, "DMA fault", "[fault reason ", Status::failed, Action::drain, bad_address},
    {iommu, "DMA fault", "<dmar_fault", Status::failed, Action::drain, bad_address},
    {iommu, "DMA fault", "DMAR*nvalidation*rror", Status::failed, Action::drain, unit_failed},
    {iommu, "DMA fault", "DMAR*ime-out", Status::failed, Action::drain, unit_failed},
    {iommu, "DMA fault", "DMAR*imed out", Status::failed, Action::drain, unit_failed},
    {iommu, "DMA fault", "AMD-Vi*Event logged", Status::failed, Action::drain, bad_address},
    {iommu, "DMA fault", "IO_PAGE_FAULT", Status::failed, Action::drain, bad_address},
    {iommu, "DMA fault", "AMD-Vi*timed out", Status::failed, Action::drain, unit_failed},
    {iommu, "DMA fault", "arm-smmu*context fault", Status::failed, Action::drain, bad_address},
    {iommu, "DMA fault", "arm-smmu*event 0x*received", Status::failed, Action::drain, bad_address},
    {iommu, "DMA fault", "arm-smmu*timeout", Status::failed, Action::drain, unit_failed},
};

}  // namespace
}  // namespace pcie_log

std::span<const KnownLine> pcie_lines() { return pcie_log::lines; }

}  // namespace assay::health
