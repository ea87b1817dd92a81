// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "harness/core/error.hpp"
#include "harness/training/presets.hpp"

namespace assay::training {
namespace {

using testing::HasSubstr;

const workload::Transformer refused{.name = "refused",
                                    .hidden = 64,
                                    .feed_forward = 160,
                                    .heads = 8,
                                    .kv_heads = 4,
                                    .head_size = 8,
                                    .gated = true,
                                    .layers = 6};

std::string refusal_of_preset(const std::string& name, std::uint32_t ranks,
                              const std::vector<std::string>& numbers) {
  try {
    preset_step(preset(name), ranks, refused, numbers);
  } catch (const core::Error& error) {
    EXPECT_EQ(error.kind(), core::ErrorKind::usage);
    return error.what();
  }
  return "accepted";
}

TEST(PresetRefusals, NameWhatDoesNotDivide) {
  EXPECT_THAT(refusal_of_preset("megatron", 48, {"tensor=8", "pipeline=3", "data=3"}),
              HasSubstr("data: 8 tensor x 1 context x 3 pipeline x 3 data is 72: expected the 48 ranks"));
  EXPECT_THAT(refusal_of_preset("megatron", 20, {"tensor=8"}), HasSubstr("is 16: expected the 20 ranks"));
  EXPECT_THAT(refusal_of_preset("megatron", 48, {"tensor=3"}), HasSubstr("tensor: "));
  EXPECT_THAT(refusal_of_preset("megatron", 32, {"pipeline=4"}), HasSubstr("6 blocks do not divide into 4"));
  EXPECT_THAT(refusal_of_preset("megatron", 32, {"tensor=0"}),
              HasSubstr("tensor: expected a whole number from 1 to 4294967295, got '0'"));
  EXPECT_THAT(refusal_of_preset("megatron", 16, {"sequence=4095", "tensor=4"}),
              HasSubstr("sequence: expected tokens that divide into 4 parts (context x tensor), got 4095"));
  EXPECT_THAT(
      refusal_of_preset("megatron", 16, {"sequence=100", "context=8", "tensor=2", "sequence_parallel=0"}),
      HasSubstr("sequence: expected tokens that divide into 8 parts (context), got 100"));
  EXPECT_THAT(refusal_of_preset("fsdp", 8, {"shard=3"}),
              HasSubstr("shard: 8 ranks do not divide into groups of 3"));
  EXPECT_THAT(refusal_of_preset("fsdp", 8, {"unit=0"}), HasSubstr("unit: expected a whole number from 1 to"));
  EXPECT_THAT(refusal_of_preset("moe", 12, {}), HasSubstr("expert: 12 ranks do not divide into groups of 8"));
  EXPECT_THAT(refusal_of_preset("moe", 16, {"top=9"}),
              HasSubstr("top: expected no more than the experts, 8, got 9"));
  EXPECT_THAT(refusal_of_preset("moe", 16, {"expert=3"}), HasSubstr("expert: expected a divisor"));
  EXPECT_THAT(refusal_of_preset("ddp", 8, {"gradient=0"}),
              HasSubstr("gradient: expected a whole number from 1 to"));
  EXPECT_THAT(refusal_of_preset("dlrm", 5000, {}), HasSubstr("ranks: expected at most 4096"));
}

TEST(PresetRefusals, NameKeysAndValuesThatAreNone) {
  EXPECT_THAT(refusal_of_preset("ddp", 8, {"buckets=1MiB"}),
              HasSubstr("'buckets=1MiB': expected KEY=VALUE of ddp: sequence, batch, tflops, vocabulary, "
                        "gradient, bucket"));
  EXPECT_THAT(refusal_of_preset("ddp", 8, {"bucket"}), HasSubstr("'bucket': expected KEY=VALUE"));
  EXPECT_THAT(refusal_of_preset("ddp", 8, {"batch=-1"}),
              HasSubstr("batch: expected a whole number from 1 to 4294967295, got '-1'"));
  EXPECT_THAT(refusal_of_preset("ddp", 8, {"tflops=0"}),
              HasSubstr("tflops: expected a whole number from 1 to"));
  for (const auto& [name, number] : {std::pair{"ddp", "batch=0"},
                                     {"dlrm", "batch=0"},
                                     {"dlrm", "tables=0"},
                                     {"megatron", "sequence_parallel=7"},
                                     {"megatron", "zero=5"},
                                     {"fsdp", "reshard=2"},
                                     {"ddp", "sequence=99999999999"}})
    EXPECT_THAT(refusal_of_preset(name, 8, {number}), HasSubstr(": expected a whole number from ")) << number;
  EXPECT_THAT(refusal_of_preset("ddp", 8, {"batch=2", "batch=3"}),
              HasSubstr("'batch=3': expected each key once"));
  EXPECT_THAT(refusal_of_preset("zero", 8, {}),
              HasSubstr("'zero' is not a preset: expected ddp, fsdp, megatron, moe, dlrm"));
}

}  // namespace
}  // namespace assay::training
