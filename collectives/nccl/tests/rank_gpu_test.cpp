// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "collectives/nccl/device/rank_gpu.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "harness/core/error.hpp"

namespace assay::collectives {
namespace {

using testing::Contains;
using testing::Not;
using testing::Pair;

const RankGpu first{.host = "h1", .pci_address = "0000:1b:00.0"};
const RankGpu second{.host = "h1", .pci_address = "0000:43:00.0"};
const RankGpu elsewhere{.host = "h2", .pci_address = "0000:1b:00.0"};

TEST(RankGpu, IsThePlaceOnTheHostModuloVisibleDevices) {
  const std::vector<std::string> hosts{"h1", "h2", "h1", "h1", "h2"};
  EXPECT_EQ(place_on_host(hosts, 0), 0);
  EXPECT_EQ(place_on_host(hosts, 3), 2);
  EXPECT_EQ(place_on_host(hosts, 4), 1);
  EXPECT_EQ(device_of(2, 8), 2);
  EXPECT_EQ(device_of(2, 2), 0);
  EXPECT_EQ(device_of(5, 1), 0);  // a launcher that shows each rank its own
}

TEST(RankGpu, IsSharedWhereHostAndAddressAreTheSame) {
  EXPECT_EQ(who_shares({first, second, elsewhere}), "");
  EXPECT_EQ(who_shares({first, elsewhere, second, first}), "ranks 0 and 3 share the GPU 0000:1b:00.0 of h1");
}

TEST(RankGpu, IsApartInAnotherNvlinkDomain) {
  RankGpu in_a = first, in_b = elsewhere;
  in_a.nvlink_domain = "aa.1";
  in_b.nvlink_domain = "aa.2";
  EXPECT_EQ(who_is_apart({first, second, elsewhere}), "");
  EXPECT_EQ(who_is_apart({second, in_a, first, in_a}), "");
  EXPECT_EQ(who_is_apart({second, in_a, in_b}), "rank 1 is in NVLink domain aa.1 and rank 2 in aa.2");
}

TEST(RankGpu, CountsNodesAsNcclDoes) {
  EXPECT_EQ(nodes_of({first, second, elsewhere}, false), 2);
  EXPECT_EQ(nodes_of({first, first, first}, true), 3);
}

TEST(RankGpu, TravelsAsText) {
  const RankGpu back = rank_gpu_from(to_text(RankGpu{
      .host = "h\"1", .pci_address = "0000:1b:00.0", .device = 3, .name = "a GPU", .nvlink_domain = "aa.1"}));
  EXPECT_EQ(back.host, "h\"1");
  EXPECT_EQ(back.pci_address, "0000:1b:00.0");
  EXPECT_EQ(back.device, 3);
  EXPECT_EQ(back.name, "a GPU");
  EXPECT_EQ(back.nvlink_domain, "aa.1");
  EXPECT_THROW(rank_gpu_from("{}"), core::Error);
  EXPECT_THROW(rank_gpu_from("nonsense"), core::Error);
}

TEST(SharingVariables, MakeEveryRankAHostOfItsOwn) {
  EXPECT_THAT(sharing_variables(3, true), Contains(Pair("NCCL_HOSTID", "assay-rank-3")));
  EXPECT_THAT(sharing_variables(3, true), Contains(Pair("NCCL_NET", "Socket")));
  EXPECT_THAT(sharing_variables(3, true), Contains(Pair("NCCL_MAX_CTAS", "2")));
  EXPECT_THAT(sharing_variables(3, true), Contains(Pair("NCCL_SOCKET_IFNAME", "lo")));
  EXPECT_THAT(sharing_variables(3, false), Not(Contains(Pair("NCCL_SOCKET_IFNAME", "lo"))));
}

}  // namespace
}  // namespace assay::collectives
