// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "rdma/traffic/wiring/seats.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>

#include "harness/core/tests/message_of.hpp"
#include "rdma/tests/on_ranks.hpp"

namespace assay::rdma {
namespace {

using core::tests::message_of;

machine::Machine two_rails() {
  machine::Machine machine;
  for (const char* device : {"mlx5_0", "mlx5_1"}) {
    machine::Hca hca;
    hca.device = device;
    hca.state = "ACTIVE";
    machine.hcas.push_back(hca);
  }
  return machine;
}

Settings asking_for(const std::string& device) {
  Settings settings = tests::settings();
  settings.device = device;
  return settings;
}

TEST(Seats, OfRanksInOneProcessAreTwoNodesOnTheSameAdapter) {
  const machine::Machine machine = two_rails();
  tests::all_well_on_ranks(2, [&](team::Team& team) {
    const Seats seats = take_seats(team, machine, asking_for("auto"));
    ASSERT_EQ(seats.ranks.size(), 2U);
    EXPECT_NE(seats.ranks[0].node, seats.ranks[1].node);
    for (const Seat& seat : seats.ranks) EXPECT_EQ(seat.device, "mlx5_0:1");
    EXPECT_EQ(seats.own.adapter.rail, 0);
    EXPECT_EQ(seats.own.adapter.reason, "no GPU (NUMA node unknown, one of 2)");
  });
}

TEST(Seats, GiveTheRailThatIsAskedFor) {
  const Settings own = seated_alone(two_rails(), asking_for("rail:1"));
  EXPECT_EQ(own.device, "mlx5_1:1");
  EXPECT_EQ(own.adapter.rail, 1);
  for (const char* wrong : {"rail:2", "rail:", "rail:-1", "rail:1x"})
    EXPECT_EQ(message_of([&] { seated_alone(two_rails(), asking_for(wrong)); }),
              std::string("device=") + wrong + ": expected a rail of this node, rail:0 to rail:1");
  EXPECT_EQ(message_of([] { seated_alone({}, asking_for("rail:0")); }),
            "device=rail:0: this node has no RDMA device");
}

TEST(Seats, KnowTheRailOfANamedDevice) {
  EXPECT_EQ(seated_alone(two_rails(), asking_for("mlx5_1")).adapter.rail, 1);
  EXPECT_EQ(seated_alone(two_rails(), asking_for("mlx5_1:1")).adapter.rail, 1);
  EXPECT_EQ(seated_alone(two_rails(), asking_for("mlx5_7")).adapter.rail, -1);
}

TEST(Seats, FollowTheRailsThatTheEnvironmentNames) {
  setenv("ASSAY_RDMA_RAILS", "mlx5_1", 1);
  const Settings own = seated_alone(two_rails(), asking_for("auto"));
  EXPECT_EQ(own.device, "mlx5_1:1");
  EXPECT_EQ(own.adapter.rail, 0);
  setenv("ASSAY_RDMA_RAILS", "mlx5_1,mlx5_4", 1);
  EXPECT_EQ(message_of([] { seated_alone(two_rails(), asking_for("auto")); }),
            "ASSAY_RDMA_RAILS: no port of an RDMA device is named 'mlx5_4' (there are: mlx5_0:1 mlx5_1:1)");
  unsetenv("ASSAY_RDMA_RAILS");
}

TEST(VisibleGpu, IsTheRanksOwnOfThoseThatItSees) {
  machine::Machine machine;
  machine.gpus.resize(2);
  machine.gpus[1].index = 1;
  machine.gpus[1].uuid = "GPU-b";
  const auto of = [&](int local, const char* visible) {
    const VisibleGpu gpu = visible_gpu(local, visible, machine);
    return std::pair(gpu.cuda, gpu.index);
  };
  EXPECT_EQ(of(3, ""), std::pair(3, 3));
  EXPECT_EQ(of(3, "3"), std::pair(0, 3));
  EXPECT_EQ(of(1, "7,6"), std::pair(1, 6));
  EXPECT_EQ(of(0, "GPU-b"), std::pair(0, 1));
}

}  // namespace
}  // namespace assay::rdma
