// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "model/workload/operation_tables.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "harness/training/presets.hpp"

namespace assay::model::workload {
namespace {

using testing::HasSubstr;

training::TrainingStep small_fsdp() {
  const ::assay::workload::Transformer model{.name = "small",
                                             .hidden = 64,
                                             .feed_forward = 256,
                                             .heads = 8,
                                             .kv_heads = 8,
                                             .head_size = 8,
                                             .layers = 3};
  return training::preset_step(training::preset("fsdp"), 8, model, {});
}

TEST(OperationTables, JoinEqualOperations) {
  const results::Table table = operation_table(small_fsdp());
  ASSERT_EQ(table.rows.size(), 4U);
  EXPECT_EQ(std::get<std::string>(table.rows[0][0]), "weights");
  EXPECT_EQ(std::get<std::int64_t>(table.rows[0][5]), 2 * 12 * 64 * 64);
  EXPECT_EQ(std::get<std::int64_t>(table.rows[0][7]), 6);
  const std::string text = to_text(table);
  EXPECT_THAT(text, HasSubstr("reduce_scatter"));
  EXPECT_THAT(text, HasSubstr("yes"));
}

TEST(OperationTables, CountSizesByPowersOfTwo) {
  const results::Table table = size_table(small_fsdp());
  ASSERT_EQ(table.rows.size(), 2U);
  EXPECT_EQ(std::get<std::int64_t>(table.rows[0][0]), 64 * 1024);
  EXPECT_EQ(std::get<std::int64_t>(table.rows[0][2]), 6);
  EXPECT_NEAR(std::get<results::Number>(table.rows[0][3]).value, 200.0 / 3, 1e-9);
}

}  // namespace
}  // namespace assay::model::workload
