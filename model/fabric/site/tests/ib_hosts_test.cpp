// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "model/fabric/site/infiniband/ib_hosts.hpp"

#include <gtest/gtest.h>

namespace assay::model::fabric::site {
namespace {

TEST(IbHosts, SplitsHostAndAdapter) {
  for (const auto& [description, place] :
       std::map<std::string, IbPlace>{{"node1 mlx5_0", {"node1", "mlx5_0"}},
                                      {"node 01 (rack 3) mlx5_11", {"node 01 (rack 3)", "mlx5_11"}},
                                      {"node02,x mlx5_bond_0", {"node02,x", "mlx5_bond_0"}},
                                      {"node03[1]   HCA-2", {"node03[1]", "HCA-2"}},
                                      {"gpu7 ibp24s0f1", {"gpu7", "ibp24s0f1"}},
                                      {"gpu7 hfi1_0", {"gpu7", "hfi1_0"}},
                                      {"node08", {"node08", "H-1"}},
                                      {"row 4 ib rack", {"row 4 ib rack", "H-1"}},
                                      {"mlx5_0", {"mlx5_0", "H-1"}},
                                      {"MT4129 ConnectX7   Mellanox Technologies", {"H-1", "H-1"}},
                                      {"", {"H-1", "H-1"}},
                                      {" mlx5_0", {"H-1", "H-1"}}})
    EXPECT_EQ(ib_places({{"H-1", description, ""}}).at("H-1"), place) << description;
}

TEST(IbHosts, JoinsByName) {
  const auto places = ib_places({{"H-1", "n1 mlx5_0", "a"},
                                 {"H-2", "n1 mlx5_1", "b"},
                                 {"H-3", "n1", "c"},
                                 {"H-4", "n2", "d"},
                                 {"H-5", "n2", "e"}});
  for (const char* guid : {"H-1", "H-2", "H-3"}) EXPECT_EQ(places.at(guid).host, "n1");
  EXPECT_EQ(places.at("H-4"), (IbPlace{"n2", "H-4"}));
  EXPECT_EQ(places.at("H-5"), (IbPlace{"n2", "H-5"}));
}

TEST(IbHosts, JoinsNamelessBySystem) {
  const std::string vendor = "MT4129 ConnectX7   Mellanox Technologies";
  const auto places = ib_places({{"H-1", vendor, "a"},
                                 {"H-2", vendor, "a"},
                                 {"H-3", vendor, "b"},
                                 {"H-4", vendor, ""},
                                 {"H-5", vendor, ""},
                                 {"H-6", "n1 mlx5_0", "c"},
                                 {"H-7", vendor, "c"}});
  EXPECT_EQ(places.at("H-1").host, "H-1");
  EXPECT_EQ(places.at("H-2").host, "H-1");
  for (const char* guid : {"H-3", "H-4", "H-5"}) EXPECT_EQ(places.at(guid).host, guid);
  EXPECT_EQ(places.at("H-7"), (IbPlace{"n1", "H-7"}));
}

TEST(IbHosts, DoesNotJoinWhatCannotBeOneHost) {
  const auto twice =
      ib_places({{"H-1", "n1 mlx5_0", "a"}, {"H-2", "n1 mlx5_0", "b"}, {"H-3", "n1 mlx5_1", "c"}});
  for (const char* guid : {"H-1", "H-2", "H-3"}) EXPECT_EQ(twice.at(guid).host, guid);
  std::vector<IbAdapter> many;
  for (char one = 'a'; one <= 'q'; ++one) many.push_back({std::string("H-") + one, "compute", "same"});
  EXPECT_EQ(ib_places(many).at("H-c").host, "H-c") << "17 adapters are more than a host has";
  many.pop_back();
  EXPECT_EQ(ib_places(many).at("H-c").host, "compute");
}

}  // namespace
}  // namespace assay::model::fabric::site
