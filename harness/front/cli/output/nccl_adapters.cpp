// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "harness/front/cli/output/nccl_adapters.hpp"

#include <algorithm>
#include <string_view>

namespace assay::cli {
namespace {

using machine::Hca;
using machine::Machine;

constexpr std::string_view data_direct = "_dma";

bool is_ours(std::string_view device, const Machine& ours) {
  return std::ranges::any_of(ours.hcas, [&](const Hca& hca) { return hca.device == device; });
}

/// "0000:18:": of "0000:18:00.1". Virtual functions, too, NCCL takes for the card.
std::string_view card_of(const Hca& hca) {
  return std::string_view(hca.pcie.address).substr(0, hca.pcie.address.rfind(':') + 1);
}

std::ptrdiff_t others_of_card(const Hca& hca, const Machine& ours) {
  if (card_of(hca).empty()) return 0;
  return std::ranges::count_if(
      ours.hcas, [&](const Hca& other) { return &other != &hca && card_of(other) == card_of(hca); });
}

std::string_view device_of(std::string_view name, const Machine& ours) {
  if (!name.ends_with(data_direct) || is_ours(name, ours)) return name;
  return name.substr(0, name.size() - data_direct.size());
}

/// The port that has the number before NCCL's addition; of several, the one that it added least to.
const Hca* port_of(std::string_view name, std::int64_t port, const Machine& ours) {
  const std::string_view device = device_of(name, ours);
  const Hca* best = nullptr;
  for (const Hca& hca : ours.hcas) {
    const std::int64_t added = port - hca.port;
    if (hca.device != device || added < 0 || added > others_of_card(hca, ours)) continue;
    if (best == nullptr || hca.port > best->port) best = &hca;
  }
  return best;
}

const Hca* first_port_of(std::string_view name, const Machine& ours) {
  const std::string_view device = device_of(name, ours);
  const auto found = std::ranges::find(ours.hcas, device, &Hca::device);
  return found == ours.hcas.end() ? nullptr : &*found;
}

}  // namespace

std::vector<const Hca*> ports_of(const model::fabric::site::NcclNic& nic, const Machine& ours) {
  std::vector<const Hca*> ports;
  if (nic.name.find('+') == std::string::npos) {
    if (const Hca* const port = port_of(nic.name, nic.port, ours)) ports.push_back(port);
    return ports;
  }
  for (std::size_t at = 0; at <= nic.name.size();) {
    const std::size_t end = std::min(nic.name.find('+', at), nic.name.size());
    const Hca* const port = first_port_of(std::string_view(nic.name).substr(at, end - at), ours);
    if (port == nullptr) return {};
    ports.push_back(port);
    at = end + 1;
  }
  return ports;
}

bool place_is_known(const model::fabric::site::NcclNic& nic, const Machine& ours) {
  return !nic.name.ends_with(data_direct) || is_ours(nic.name, ours);
}

}  // namespace assay::cli
