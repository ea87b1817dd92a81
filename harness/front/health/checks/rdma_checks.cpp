// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// RDMA ports: there, up, and at full rate.
#include <fmt/format.h>

#include <algorithm>

#include "harness/front/health/checks/checks.hpp"
#include "harness/link/ceiling.hpp"

namespace assay::health {
namespace {

/// Its own, or that of a bond which another function of the adapter represents.
bool has_device(const Scene& scene, const std::string& address) {
  const std::string slot = address.substr(0, address.find('.'));
  return std::any_of(scene.now.hcas.begin(), scene.now.hcas.end(), [&](const machine::Hca& hca) {
    return hca.pcie.address == address ||
           (hca.bond_members.size() > 1 && hca.pcie.address.starts_with(slot + "."));
  });
}

void judge_present(const Scene& scene, Findings& findings) {
  const auto& now = scene.now;
  const auto adapters = static_cast<int>(now.pci_adapters.size());
  if (scene.expected.adapters && adapters < *scene.expected.adapters)
    findings.add(Status::failed, "",
                 fmt::format("{} adapters on the PCI bus, {} expected ({})", adapters,
                             *scene.expected.adapters, scene.expected.source),
                 {"an adapter is not on the bus at all", Action::reseat});
  for (const std::string& rail : scene.expected.rails.value_or(std::vector<std::string>{}))
    if (std::none_of(now.hcas.begin(), now.hcas.end(),
                     [&](const machine::Hca& hca) { return hca.device == rail; }))
      findings.add(Status::failed, rail, fmt::format("no such RDMA device ({})", scene.expected.source),
                   {"a rail is missing", Action::drain});
  for (const std::string& address : now.pci_adapters)
    if (!has_device(scene, address))
      findings.add(Status::failed, "adapter " + address, "on the PCI bus, no RDMA device",
                   {"its driver is not loaded, or the adapter does not answer", Action::drain});
  for (const machine::Hca& hca : now.hcas)
    if (std::find(now.verbs_devices.begin(), now.verbs_devices.end(), hca.device) == now.verbs_devices.end())
      findings.add(Status::failed, unit_of(hca), "no device node for verbs (/sys/class/infiniband_verbs)",
                   {"programs cannot open it", Action::drain});
    else
      findings.passed(unit_of(hca),
                      fmt::format("{}, firmware {}", hca.part.empty() ? "RDMA device" : hca.part,
                                  hca.firmware.empty() ? "unknown" : hca.firmware));
  if (now.hcas.empty() && now.pci_adapters.empty() && scene.expected.adapters.value_or(0) == 0)
    findings.absent("no RDMA device");
}

void judge_state(const Scene& scene, Findings& findings) {
  if (no_hca(scene, findings)) return;
  for (const machine::Hca& hca : scene.now.hcas) {
    findings.limit_to(worst_for(scene, hca));
    const std::string evidence = fmt::format("{}, {}", hca.state, hca.physical_state);
    if (hca.state.empty() || (hca.physical_state.empty() && !hca.software))
      findings.unknown(unit_of(hca), "the port does not report its state");
    else if (hca.state == "ACTIVE" && (hca.software || hca.physical_state == "LinkUp"))
      findings.passed(unit_of(hca), evidence);
    else
      findings.add(
          Status::failed, unit_of(hca), evidence,
          {hca.state == "INIT" ? "the link is up but no subnet manager configured it" : "the link is down",
           Action::drain});
  }
}

/// The highest of the ports of the same part here, or as expected.
double wanted_rate(const Scene& scene, const machine::Hca& hca) {
  if (scene.expected.rate_gbit_per_s) return *scene.expected.rate_gbit_per_s;
  double most = 0;
  for (const machine::Hca& other : scene.now.hcas)
    if (const auto rate = link::parse_link_rate(other.rate);
        rate && other.part == hca.part && !other.software && is_rail(scene, other))
      most = std::max(most, rate->nominal_gbit_per_s);
  return most;
}

void judge_rate(const Scene& scene, Findings& findings) {
  if (no_hca(scene, findings)) return;
  for (const machine::Hca& hca : scene.now.hcas) {
    if (hca.software) {
      findings.passed(unit_of(hca), "a software device has no rate");
      continue;
    }
    findings.limit_to(worst_for(scene, hca));
    const auto rate = link::parse_link_rate(hca.rate);
    if (!rate)
      findings.unknown(unit_of(hca), fmt::format("its rate is reported as '{}'", hca.rate));
    else if (scene.expected.rate_gbit_per_s && rate->nominal_gbit_per_s > *scene.expected.rate_gbit_per_s)
      findings.unknown(unit_of(hca), fmt::format("{}, {} Gb/s expected: more than it can have", hca.rate,
                                                 *scene.expected.rate_gbit_per_s));
    else if (rate->nominal_gbit_per_s < wanted_rate(scene, hca))
      findings.add(
          Status::failed, unit_of(hca), fmt::format("{}, {} Gb/s wanted", hca.rate, wanted_rate(scene, hca)),
          {"the link trained with fewer lanes or at a lower speed: cable, module or peer", Action::reseat});
    else
      findings.passed(unit_of(hca), hca.rate);
  }
}

constexpr Check listed_rdma_checks[] = {
    {"rdma.present", "every adapter on the PCI bus is a usable RDMA device", judge_present},
    {"rdma.port_state", "every port is active and its link up", judge_state},
    {"rdma.rate", "every port runs at the expected rate, or that of equals", judge_rate},
};

}  // namespace

std::span<const Check> rdma_checks() { return listed_rdma_checks; }

}  // namespace assay::health
