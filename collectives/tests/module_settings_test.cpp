// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "collectives/measure/module_settings.hpp"

#include <gtest/gtest.h>

#include "harness/core/error.hpp"

namespace assay::collectives {
namespace {

TEST(ModuleSettings, AreReadAmongOptionsOfOthers) {
  const ModuleSettings settings =
      module_settings_from({"--axis", "bytes=8", "--ranks-per-node", "2", "--filter", "*", "--ranks=3"});
  EXPECT_EQ(settings.ranks_per_node, 2);
  EXPECT_EQ(settings.local_ranks, 3);
  EXPECT_EQ(settings.traffic_matrix, "");
}

TEST(ModuleSettings, RefuseNoRanks) {
  EXPECT_THROW(module_settings_from({"--ranks", "0"}), core::Error);
  EXPECT_THROW(module_settings_from({"--ranks-per-node", "-1"}), core::Error);
}

TEST(DigestOf, IsFnv1a) {
  EXPECT_EQ(digest_of(""), "cbf29ce484222325");
  EXPECT_EQ(digest_of("a"), "af63dc4c8601ec8c");
}

TEST(MatrixDigest, TellsMatricesApart) {
  EXPECT_EQ(matrix_digest({}), "");
  const ModuleSettings one{.traffic_matrix = ASSAY_SOURCE_DIR "/CMakeLists.txt"};
  const ModuleSettings other{.traffic_matrix = ASSAY_SOURCE_DIR "/LICENSE"};
  EXPECT_EQ(matrix_digest(one), matrix_digest(one));
  EXPECT_NE(matrix_digest(one), matrix_digest(other));
}

}  // namespace
}  // namespace assay::collectives
