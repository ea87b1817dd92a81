// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// A site's inventory by file: what each node should have, by patterns of names.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "harness/core/error.hpp"
#include "harness/front/health/expectation.hpp"
#include "harness/machine/tests/fake_node.hpp"

namespace assay::health {
namespace {

class InventoryFile : public testing::Test {
 protected:
  Expectation of(const std::string& host) {
    node_.write("/inventory", text);
    return read_expectation(node_.root() + "/inventory", host);
  }
  std::string said(const std::string& host) {
    try {
      of(host);
    } catch (const core::Error& error) {
      EXPECT_EQ(error.kind(), core::ErrorKind::usage);
      return std::string(error.what()).substr((node_.root() + "/inventory").size());
    }
    return "nothing";
  }

  machine::FakeNode node_;
  std::string text =
      "source = 'rack list'\nrate_gbit_per_s = 400\n"
      "[[nodes]]\nnames = ['login-*']\ngpus = 0\nadapters = 1\n"
      "[[nodes]]\nnames = ['gpu-0*', 'gpu-1*']\ngpus = 8\ngpu_serials = ['1', '2']\nnvme_drives = 4\n"
      "[[nodes]]\nnames = ['gpu-*']\ngpus = 4\nrate_gbit_per_s = 200\n";
};

TEST_F(InventoryFile, GivesANodeWhatTheFirstPatternOfItsNameSays) {
  const Expectation gpu = of("gpu-11");
  EXPECT_EQ(gpu.gpus, 8);
  EXPECT_EQ(gpu.nvme_drives, 4);
  EXPECT_EQ(gpu.rate_gbit_per_s, 400);
  EXPECT_EQ(gpu.source, "rack list");
  EXPECT_THAT(gpu.gpu_serials, testing::ElementsAre("1", "2"));
  EXPECT_EQ(of("login-3").gpus, 0);
  const Expectation other = of("gpu-99");
  EXPECT_EQ(other.gpus, 4);
  EXPECT_EQ(other.rate_gbit_per_s, 200);
  EXPECT_TRUE(other.gpu_serials.empty());
}

TEST_F(InventoryFile, WithoutTheNodeIsRefused) {
  EXPECT_EQ(said("storage-1"), ": no [[nodes]] names this node, 'storage-1'");
}

TEST_F(InventoryFile, NamesLineAndKeyOfWhatIsWrongInAnyNode) {
  text = "source = 'us'\n[[nodes]]\nnames = ['a']\n[[nodes]]\nnames = ['b']\ngpus = -1\n";
  EXPECT_EQ(said("a"), ":6: nodes.gpus: expected a whole number from 0 to 65536, got -1");
  text = "source = 'us'\n[[nodes]]\ngpus = 8\n";
  EXPECT_THAT(said("a"), testing::StartsWith(":2: nodes.names: missing: expected globs of host names"));
  text = "source = 'us'\nnodes = 3\n";
  EXPECT_THAT(said("a"), testing::StartsWith(":2: nodes: expected tables [[nodes]]"));
  text = "source = 'us'\ngpu_serials = [7]\n";
  EXPECT_THAT(said("a"),
              testing::StartsWith(":2: gpu_serials: expected text, or a list of texts: serial numbers"));
}

}  // namespace
}  // namespace assay::health
