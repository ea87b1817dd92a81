// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "harness/link/ethtool_statistics.hpp"

#include <linux/ethtool.h>
#include <linux/sockios.h>
#include <net/if.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cstring>
#include <vector>

#include "harness/core/files/descriptor.hpp"

namespace assay::link {

namespace {

/// Any socket will do: the ioctl is addressed by the netdev's name.
class EthtoolSocket {
 public:
  explicit EthtoolSocket(const std::string& netdev)
      : descriptor_(::socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0)), netdev_(netdev) {}

  bool ask(void* question) const {
    ifreq request{};
    if (!descriptor_ || netdev_.size() >= sizeof(request.ifr_name)) return false;
    std::memcpy(request.ifr_name, netdev_.data(), netdev_.size());
    request.ifr_data = static_cast<char*>(question);
    return ::ioctl(descriptor_.get(), SIOCETHTOOL, &request) == 0;
  }

 private:
  core::Descriptor descriptor_;
  std::string netdev_;
};

/// Answers are a fixed head with the data behind it, in words of 8 bytes for the sake of alignment.
template <class Head>
std::vector<std::uint64_t> space_for(std::size_t data_bytes) {
  return std::vector<std::uint64_t>((sizeof(Head) + data_bytes + 7) / 8, 0);
}

std::uint32_t count_statistics(const EthtoolSocket& socket) {
  auto memory = space_for<ethtool_sset_info>(sizeof(std::uint32_t));
  auto* info = reinterpret_cast<ethtool_sset_info*>(memory.data());
  info->cmd = ETHTOOL_GSSET_INFO;
  info->sset_mask = std::uint64_t{1} << ETH_SS_STATS;
  if (!socket.ask(info) || info->sset_mask == 0) return 0;
  return info->data[0];
}

std::vector<std::string> read_names(const EthtoolSocket& socket, std::uint32_t count) {
  auto memory = space_for<ethtool_gstrings>(std::size_t{count} * ETH_GSTRING_LEN);
  auto* strings = reinterpret_cast<ethtool_gstrings*>(memory.data());
  strings->cmd = ETHTOOL_GSTRINGS;
  strings->string_set = ETH_SS_STATS;
  strings->len = count;
  if (!socket.ask(strings) || strings->len != count) return {};
  std::vector<std::string> names;
  for (std::uint32_t at = 0; at < count; ++at) {
    const char* name = reinterpret_cast<const char*>(strings->data) + std::size_t{at} * ETH_GSTRING_LEN;
    names.emplace_back(name, ::strnlen(name, ETH_GSTRING_LEN));
  }
  return names;
}

}  // namespace

std::map<std::string, std::uint64_t> read_ethtool_statistics(const std::string& netdev) {
  const EthtoolSocket socket(netdev);
  const std::uint32_t count = count_statistics(socket);
  const std::vector<std::string> names = count > 0 ? read_names(socket, count) : std::vector<std::string>{};
  if (names.empty()) return {};
  auto memory = space_for<ethtool_stats>(std::size_t{count} * sizeof(std::uint64_t));
  auto* statistics = reinterpret_cast<ethtool_stats*>(memory.data());
  statistics->cmd = ETHTOOL_GSTATS;
  statistics->n_stats = count;
  if (!socket.ask(statistics) || statistics->n_stats != count) return {};
  std::map<std::string, std::uint64_t> values;
  for (std::uint32_t at = 0; at < count; ++at) values[names[at]] = statistics->data[at];
  return values;
}

}  // namespace assay::link
