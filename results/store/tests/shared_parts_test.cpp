// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

#include "results/store/doubts/host_doubts.hpp"
#include "results/tests/sample_records.hpp"

namespace assay::results {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

/// The host of a run, with GPUs of these UUIDs and adapters of these GUIDs.
struct Host {
  std::string name;
  std::vector<std::string> uuids, guids = {}, serials = {};  // serials: of the GPUs' boards
};

std::vector<std::string> shared_by(const std::vector<Host>& hosts) {
  test::TemporaryFolder folder;
  Store store(folder / "s.sqlite");
  int run = 0;
  for (const Host& host : hosts) {
    ContextRecord context = test::sample_context("run-" + std::to_string(++run));
    context.host = host.name;
    context.machine["gpus"] = nlohmann::ordered_json::array();
    context.machine["hcas"] = nlohmann::ordered_json::array();
    for (const std::string& uuid : host.uuids)
      context.machine["gpus"].push_back({{"index", context.machine["gpus"].size()}, {"uuid", uuid}});
    for (std::size_t gpu = 0; gpu < host.serials.size(); ++gpu)
      context.machine["gpus"][gpu]["serial"] = host.serials[gpu];
    for (const std::string& guid : host.guids)
      context.machine["hcas"].push_back(
          {{"device", "mlx5_" + std::to_string(context.machine["hcas"].size())}, {"node_guid", guid}});
    store.add(context);
  }
  return shared_parts_of(store);
}

TEST(SharedParts, AreNoneOfMachinesThatDiffer) {
  EXPECT_THAT(shared_by({{"h1", {"GPU-1", "GPU-2"}}, {"h2", {"GPU-3", "GPU-4"}}, {"h1", {"GPU-1", "GPU-2"}}}),
              IsEmpty());
  EXPECT_THAT(shared_by({{"h1", {""}}, {"h2", {""}}}), IsEmpty());
}

TEST(SharedParts, NameAMachineUnderTwoNames) {
  EXPECT_THAT(shared_by({{"h1", {"GPU-1", "GPU-2"}}, {"h2", {"GPU-1", "GPU-2"}}}),
              ElementsAre(HasSubstr("hosts h1 and h2 are one machine under two names")));
  EXPECT_THAT(shared_by({{"h1", {}, {"0c42:a103:0001"}}, {"h2", {}, {"0c42:a103:0001"}}}),
              ElementsAre(HasSubstr("mlx5_0")));
}

TEST(SharedParts, NameASerialNumberThatStandsTwiceInAMachine) {
  EXPECT_THAT(shared_by({{"h1", {"GPU-1", "GPU-1"}}}),
              ElementsAre("host h1: GPU 0 and GPU 1 have one serial number, GPU-1"));
}

TEST(SharedParts, LookAtTheSerialNumbersOfBoardsToo) {
  EXPECT_THAT(shared_by({{"h1", {"GPU-1", "GPU-2"}, {}, {"1650", "1650"}}}),
              ElementsAre("host h1: the board of GPU 0 and the board of GPU 1 have one serial number, 1650"));
  EXPECT_THAT(shared_by({{"h1", {"GPU-1"}, {}, {"1650"}}, {"h2", {"GPU-2"}, {}, {"1650"}}}),
              ElementsAre(HasSubstr("hosts h1 and h2 are one machine under two names")));
  EXPECT_THAT(shared_by({{"h1", {"GPU-1", "GPU-2"}, {}, {"", ""}}}), IsEmpty());
}

TEST(SharedParts, PassOverSerialNumbersOfZeros) {
  EXPECT_THAT(shared_by({{"h1", {}, {"0000:0000", "0000:0000"}}, {"h2", {}, {"0000:0000"}}}), IsEmpty());
}

}  // namespace
}  // namespace assay::results
