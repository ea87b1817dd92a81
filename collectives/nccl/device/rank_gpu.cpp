// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "collectives/nccl/device/rank_gpu.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <set>

#include "harness/core/error.hpp"
#include "harness/core/text/json_from.hpp"
#include "harness/core/text/json_text.hpp"
#include "harness/team/agree.hpp"

namespace assay::collectives {

std::string to_text(const RankGpu& gpu) {
  return core::json_text(nlohmann::json{{"host", gpu.host},
                                        {"pci", gpu.pci_address},
                                        {"device", gpu.device},
                                        {"name", gpu.name},
                                        {"domain", gpu.nvlink_domain}});
}

RankGpu rank_gpu_from(const std::string& text) {
  try {
    const nlohmann::json gpu = core::json_from<nlohmann::json>(text);
    return {.host = gpu.at("host"),
            .pci_address = gpu.at("pci"),
            .device = gpu.at("device").get<int>(),
            .name = gpu.at("name"),
            .nvlink_domain = gpu.at("domain")};
  } catch (const nlohmann::json::exception&) {
    throw core::Error(core::ErrorKind::team, fmt::format("'{}' does not describe a rank's GPU", text));
  }
}

int device_of(int place_on_host, int visible) { return place_on_host % visible; }

std::vector<RankGpu> gpus_of_ranks(team::Team& team, int visible,
                                   const std::function<RankGpu(int device)>& describe) {
  const auto own = [&] {
    std::vector<std::string> hosts;
    for (int rank = 0; rank < team.size(); ++rank) hosts.push_back(team.host_of(rank));
    if (visible < 1) throw core::Error(core::ErrorKind::cuda, "this rank sees no GPU");
    RankGpu gpu = describe(device_of(place_on_host(hosts, team.rank()), visible));
    gpu.host = hosts[static_cast<std::size_t>(team.rank())];
    return to_text(gpu);
  };
  std::vector<RankGpu> all;
  for (const std::string& text : team::agree(team, own)) all.push_back(rank_gpu_from(text));
  return all;
}

int place_on_host(const std::vector<std::string>& hosts, int rank) {
  const auto own = hosts.begin() + rank;
  return static_cast<int>(std::count(hosts.begin(), own, *own));
}

std::string who_shares(const std::vector<RankGpu>& by_rank) {
  for (std::size_t second = 1; second < by_rank.size(); ++second)
    for (std::size_t first = 0; first < second; ++first)
      if (by_rank[first].host == by_rank[second].host &&
          by_rank[first].pci_address == by_rank[second].pci_address)
        return fmt::format("ranks {} and {} share the GPU {} of {}", first, second,
                           by_rank[first].pci_address, by_rank[first].host);
  return {};
}

std::string who_is_apart(const std::vector<RankGpu>& by_rank) {
  const auto in_domain = [](const RankGpu& gpu) { return !gpu.nvlink_domain.empty(); };
  const auto first = std::ranges::find_if(by_rank, in_domain);
  const auto other = std::ranges::find_if(by_rank, [&](const RankGpu& gpu) {
    return in_domain(gpu) && gpu.nvlink_domain != first->nvlink_domain;
  });
  if (other == by_rank.end()) return {};
  return fmt::format("rank {} is in NVLink domain {} and rank {} in {}", first - by_rank.begin(),
                     first->nvlink_domain, other - by_rank.begin(), other->nvlink_domain);
}

int nodes_of(const std::vector<RankGpu>& by_rank, bool each_rank_a_node) {
  if (each_rank_a_node) return static_cast<int>(by_rank.size());
  std::set<std::string> hosts;
  for (const RankGpu& gpu : by_rank) hosts.insert(gpu.host);
  return static_cast<int>(hosts.size());
}

std::vector<Variable> sharing_variables(int rank, bool on_one_host) {
  std::vector<Variable> variables{{"NCCL_HOSTID", fmt::format("assay-rank-{}", rank)},
                                  {"NCCL_NET", "Socket"},
                                  {"NCCL_IB_DISABLE", "1"},
                                  {"NCCL_MAX_CTAS", "2"},
                                  {"NCCL_MNNVL_ENABLE", "0"},
                                  {"NCCL_RAS_ENABLE", "0"}};
  if (on_one_host) variables.emplace_back("NCCL_SOCKET_IFNAME", "lo");
  return variables;
}

}  // namespace assay::collectives
