// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Published figures of the original, found again with the files of model/examples
// (docs/evidence/calculon.md).
#include <gtest/gtest.h>

#include "model/explain/explanation.hpp"
#include "model/json/read_json.hpp"
#include "model/predict/read/read.hpp"

namespace assay::model {
namespace {

const std::string examples = std::string(ASSAY_SOURCE_DIR) + "/model/examples/";

Subject subject(const std::string& application) {
  return {.application = read_application(read_json(examples + application), application),
          .system = SystemFile::read(examples + "calculon-h100.json"),
          .threads = 2};
}

struct Scale {
  std::int64_t processors, batch;
  double domain, second_memory_gib;
  double sample_rate, mfu_percent;
};

class StrongScalingOf1T : public testing::TestWithParam<Scale> {};

TEST_P(StrongScalingOf1T, IsTheOriginals) {
  const Scale& scale = GetParam();
  Subject asked = subject("megatron_1t.json");
  asked.max_batch = scale.batch;
  asked.unfused = true;
  const Trial trial{{},
                    asked.question(scale.processors, {{"networks[0].size", scale.domain},
                                                      {"mem2.GiB", scale.second_memory_gib}})};
  const Finding found = find_best({trial}, 2)[0];
  EXPECT_NEAR(found.sample_rate(), scale.sample_rate, 0.05);
  EXPECT_NEAR(100 * found.mfu(), scale.mfu_percent, 0.05);
}

INSTANTIATE_TEST_SUITE_P(
    Published, StrongScalingOf1T,
    testing::Values(Scale{4096, 3072, 8, 0, 223.9, 68.5}, Scale{4096, 3072, 16, 0, 225.1, 68.9},
                    Scale{4096, 3072, 8, 512, 242.8, 74.3}, Scale{4096, 3072, 16, 512, 248.7, 76.1},
                    Scale{4096, 4096, 8, 512, 245.6, 75.2}, Scale{8192, 3072, 8, 0, 417.2, 63.8},
                    Scale{8192, 3072, 8, 512, 460.8, 70.5}, Scale{8192, 4096, 16, 512, 468.9, 71.8},
                    Scale{16384, 3072, 8, 0, 660.1, 50.5}, Scale{16384, 3072, 16, 0, 858.0, 65.7},
                    Scale{16384, 4096, 16, 512, 871.4, 66.7}));

TEST(Blocks, Of254InThePlaceOf256FallOffTheCliff) {
  Subject asked = subject("blocks_256.json");
  asked.system.set("mem2.GiB=1024");
  const Explanation explained = explain_blocks(asked, 4096, {256, 254});
  EXPECT_EQ(
      explained.answer,
      "256 blocks map best: 23311328 mappings, MFU 75.5 %; 254 worst: 1260992 mappings (18.5 times fewer), "
      "MFU 51.9 %.");
  EXPECT_TRUE(explained.holds);
}

}  // namespace
}  // namespace assay::model
