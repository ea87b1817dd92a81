// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "model/search/system_file.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "harness/core/error.hpp"

namespace assay::model {
namespace {

using nlohmann::json;
using testing::HasSubstr;

const std::string sample_path =
    std::string(ASSAY_SOURCE_DIR) + "/harness/front/cli/tests/predict/system.json";

TEST(SystemFile, ReadsAndChangesSingleValues) {
  SystemFile file = SystemFile::read(sample_path);
  EXPECT_EQ(file.number("networks[1].bandwidth"), 50);
  EXPECT_EQ(file.number("matrix.bfloat16.gflops_efficiency[1][1]"), 0.6);
  file.set("networks[0].size=16");
  file.set("networks[0].must_be_filled=false");
  file.set("processing_mode=roofline");
  file.set("mem2.GiB", 1024);
  const System system = file.system();
  EXPECT_EQ(system.networks[0].size, 16);
  EXPECT_FALSE(system.networks[0].must_be_filled);
  EXPECT_TRUE(system.roofline);
  EXPECT_EQ(system.mem2.capacity_bytes, 1024.0 * 1024 * 1024 * 1024);
}

TEST(SystemFile, IsReadByTheRulesOfItsModel) {
  EXPECT_FALSE(SystemFile::read(sample_path).system().fixes.pipe_tile);
  const SystemFile assays = SystemFile::read(sample_path, {.model = Model::assay});
  EXPECT_TRUE(assays.system().fixes.pipe_tile);
  EXPECT_TRUE(assays.priced(Datatype::bfloat16).coefficients.empty());
  json naming = assays.json();
  naming["coefficients"] = "nothing.json";
  EXPECT_THROW(SystemFile(naming, sample_path, {.model = Model::assay}).priced(Datatype::bfloat16),
               core::Error);
  EXPECT_EQ(SystemFile(naming, sample_path).priced(Datatype::bfloat16).system.networks.size(), 2U);
}

TEST(SystemFile, TellsWhatItHas) {
  const SystemFile file = SystemFile::read(sample_path);
  EXPECT_TRUE(file.has("mem1.GBps"));
  for (const char* key : {"", "mem3.GiB", "networks[2].size", "networks[x].size", "mem1..GiB", "mem1/GiB",
                          "networks[00].size", "networks[99999999999999999999].size"})
    EXPECT_FALSE(file.has(key)) << key;
}

struct RefusedAssignment {
  const char* assignment;
  const char* says;
};

class RefusedSetting : public testing::TestWithParam<RefusedAssignment> {};

TEST_P(RefusedSetting, IsToldInOneLineAndChangesNothing) {
  SystemFile file = SystemFile::read(sample_path);
  const json before = file.json();
  try {
    file.set(GetParam().assignment);
    FAIL() << GetParam().assignment;
  } catch (const core::Error& error) {
    EXPECT_THAT(error.what(), HasSubstr(GetParam().says));
  }
  EXPECT_EQ(file.json(), before);
}

INSTANTIATE_TEST_SUITE_P(
    Cases, RefusedSetting,
    testing::Values(
        RefusedAssignment{"networks[0].size", "expected KEY=VALUE"},
        RefusedAssignment{"networks[9].size=8", "system.json: networks[9].size: there is no such key"},
        RefusedAssignment{"mem1=80", "expected the key of a single value"},
        RefusedAssignment{"mem1.GiB=lots", "expected a value like the one there, 80"},
        RefusedAssignment{"mem1.GiB=null", "expected a value like the one there, 80"},
        RefusedAssignment{"networks[0].must_be_filled=1", "expected a value like the one there, true"}));

}  // namespace
}  // namespace assay::model
