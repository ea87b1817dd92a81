// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Checks of how the RDMA ports are set up and where they are: addresses, packet sizes, firmware, NUMA, and an
// adapter below the same switch for every GPU.
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

#include "harness/front/health/checks/checks.hpp"

namespace assay::health {
namespace {

/// Ports with a link of the given layer.
std::vector<const machine::Hca*> ports_of(const Scene& scene, const std::string& layer) {
  std::vector<const machine::Hca*> ports;
  for (const machine::Hca& hca : scene.now.hcas)
    if (hca.link_layer == layer) ports.push_back(&hca);
  return ports;
}

void judge_layer(const Scene& scene, Findings& findings) {
  if (scene.now.hcas.empty()) return findings.absent("no RDMA device");
  std::set<std::string> layers;
  for (const machine::Hca& hca : scene.now.hcas) {
    findings.limit_to(worst_for(scene, hca));
    if (hca.link_layer != "InfiniBand" && hca.link_layer != "Ethernet") {
      findings.unknown(unit_of(hca), fmt::format("its link layer is reported as '{}'", hca.link_layer));
      continue;
    }
    if (scene.expected.link_layer && hca.link_layer != *scene.expected.link_layer)
      findings.add(Status::failed, unit_of(hca),
                   fmt::format("{}, {} expected", hca.link_layer, *scene.expected.link_layer),
                   {"the port is configured for the other fabric", Action::configure});
    else
      findings.passed(unit_of(hca), hca.link_layer);
  }
}

void judge_gids(const Scene& scene, Findings& findings) {
  const auto ports = ports_of(scene, "Ethernet");
  if (ports.empty()) return findings.absent("no RoCE port");
  for (const machine::Hca* hca : ports) {
    findings.limit_to(worst_for(scene, *hca));
    const auto routable = std::find_if(hca->gids.begin(), hca->gids.end(), [](const machine::Gid& gid) {
      return gid.type == "RoCE v2" && !gid.gid.starts_with("fe80:");
    });
    if (routable != hca->gids.end())
      findings.passed(unit_of(*hca), fmt::format("RoCE v2 at index {}", routable->index));
    else if (std::any_of(hca->gids.begin(), hca->gids.end(),
                         [](const machine::Gid& gid) { return gid.type == "RoCE v2"; }))
      findings.add(Status::noticed, unit_of(*hca), "RoCE v2 with a link-local address only",
                   {"it reaches its own segment only: give the netdev an address", Action::configure});
    else
      findings.add(Status::failed, unit_of(*hca),
                   fmt::format("{} addresses, none of RoCE v2", hca->gids.size()),
                   {"nothing can be sent through routers: give the netdev an address", Action::configure});
  }
}

void judge_mtu(const Scene& scene, Findings& findings) {
  const auto ports = ports_of(scene, "Ethernet");
  if (ports.empty()) return findings.absent("no RoCE port");
  int wanted = scene.expected.mtu_bytes.value_or(0);
  if (wanted == 0)
    for (const machine::Hca* hca : ports)
      if (is_rail(scene, *hca)) wanted = std::max(wanted, hca->mtu_bytes);
  for (const machine::Hca* hca : ports) {
    findings.limit_to(worst_for(scene, *hca));
    if (hca->mtu_bytes == 0)
      findings.unknown(unit_of(*hca), "no netdev reports its packet size");
    else if (hca->mtu_bytes < wanted)
      findings.add(Status::failed, unit_of(*hca),
                   fmt::format("path MTU {}, {} wanted", hca->mtu_bytes, wanted),
                   {"smaller packets than the others: the netdev's MTU is too low", Action::configure});
    else
      findings.passed(unit_of(*hca), fmt::format("path MTU {}", hca->mtu_bytes));
  }
}

void judge_firmware(const Scene& scene, Findings& findings) {
  std::map<std::string, std::map<std::string, int>> votes;
  for (const machine::Hca& hca : scene.now.hcas)
    if (!hca.software) ++votes[hca.part][hca.firmware];
  if (votes.empty()) return findings.absent("no RDMA adapter");
  for (const machine::Hca& hca : scene.now.hcas) {
    if (hca.software) continue;
    findings.limit_to(worst_for(scene, hca));
    const auto& of_part = votes[hca.part];
    const auto most =
        std::max_element(of_part.begin(), of_part.end(),
                         [](const auto& one, const auto& other) { return one.second < other.second; });
    const std::string wanted = scene.expected.adapter_firmware.value_or(most->first);
    if (hca.firmware.find_first_of("0123456789") == std::string::npos)
      findings.unknown(unit_of(hca), fmt::format("its firmware is reported as '{}'", hca.firmware));
    else if (hca.firmware != wanted)
      findings.add(Status::failed, unit_of(hca), fmt::format("firmware {}, {} wanted", hca.firmware, wanted),
                   {"adapters with other firmware behave otherwise", Action::configure});
    else
      findings.passed(unit_of(hca), "firmware " + hca.firmware);
  }
}

void judge_numa(const Scene& scene, Findings& findings) {
  bool any = false;
  for (const NamedLink& named : scene.now.links) {
    if (named.unit.starts_with("switch")) continue;
    any = true;
    if (named.link.numa_node < 0)
      findings.add(
          Status::noticed, named.unit, "no NUMA node",
          {"threads and memory cannot be placed near it: firmware does not report it", Action::configure});
    else
      findings.passed(named.unit, fmt::format("NUMA node {}", named.link.numa_node));
  }
  if (!any) findings.absent("no GPU and no adapter on the PCI bus");
}

void judge_pairing(const Scene& scene, Findings& findings) {
  std::vector<const NamedLink*> gpus, adapters;
  for (const NamedLink& named : scene.now.links)
    if (named.of_gpu)
      gpus.push_back(&named);
    else if (!named.unit.starts_with("switch"))
      adapters.push_back(&named);
  if (gpus.empty() || adapters.empty()) return findings.absent("no GPU, or no adapter");
  std::vector<std::string> alone;
  int paired = 0;
  for (const NamedLink* gpu : gpus) {
    const auto near = std::find_if(adapters.begin(), adapters.end(),
                                   [&](const NamedLink* one) { return same_switch(gpu->link, one->link); });
    paired += near != adapters.end() ? 1 : 0;
    if (near != adapters.end())
      findings.passed(gpu->unit, "shares a switch with " + (*near)->unit);
    else
      alone.push_back(gpu->unit);
  }
  if (paired == 0) return findings.absent("no GPU shares a switch with an adapter: not built as pairs");
  const bool rule = 2 * paired >= static_cast<int>(gpus.size());
  for (const std::string& unit : alone)
    findings.add(rule ? Status::failed : Status::noticed, unit, "no adapter below its switch",
                 {rule ? "most others have one: an adapter is missing or sits in the wrong slot"
                       : "what it sends passes the root complex",
                  Action::reseat});
}

constexpr Check listed_rdma_place_checks[] = {
    {"rdma.link_layer", "InfiniBand or Ethernet, as expected", judge_layer},
    {"rdma.gids", "every RoCE port has a routable RoCE v2 address", judge_gids},
    {"rdma.mtu", "packet size of RoCE ports: as expected, or as equals have", judge_mtu},
    {"rdma.firmware", "adapters of one part run one firmware", judge_firmware},
    {"pcie.numa", "the NUMA node of every GPU and adapter is known", judge_numa},
    {"pcie.pairing", "every GPU shares a PCIe switch with an adapter, if any does", judge_pairing},
};

}  // namespace

std::span<const Check> rdma_place_checks() { return listed_rdma_place_checks; }

}  // namespace assay::health
