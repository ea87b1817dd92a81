// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "model/predict/read/megatron.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "harness/core/tests/message_of.hpp"
#include "model/predict/read/read.hpp"

namespace assay::model {
namespace {

using core::tests::message_of;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

constexpr const char* usual_line =
    "torchrun --nproc-per-node 8 --nnodes=4 pretrain_gpt.py --tensor-model-parallel-size 4 "
    "--pipeline-model-parallel-size 2 --num-virtual-stages-per-pipeline-rank 5 --micro-batch-size 2 "
    "--global-batch-size 256 --sequence-parallel --use-distributed-optimizer --overlap-grad-reduce "
    "--overlap-param-gather --bf16 --seq-length 8192 --recompute-granularity selective --num-layers 40 --lr "
    "1e-4";

TEST(Megatron, FlagsAreTheKeysOfAnExecution) {
  const MegatronExecution read = read_megatron(usual_line);
  const Execution e = read_execution(read.execution, "line", Model::assay);
  EXPECT_EQ(e.num_procs, 32);
  EXPECT_EQ(e.tensor_par, 4);
  EXPECT_EQ(e.pipeline_par, 2);
  EXPECT_EQ(e.data_par, 4);
  EXPECT_EQ(e.interleaving, 5);
  EXPECT_EQ(e.batch_size, 256);
  EXPECT_EQ(e.microbatch_size, 2);
  EXPECT_EQ(e.datatype, Datatype::bfloat16);
  EXPECT_EQ(e.tensor_par_comm, TensorParComm::rs_ag);
  EXPECT_TRUE(e.seq_par_ag_redo);
  EXPECT_TRUE(e.optimizer_sharding);
  EXPECT_TRUE(e.data_par_overlap);
  EXPECT_TRUE(e.fused_attention);
  EXPECT_EQ(e.recompute, Recompute::attn_only);
  EXPECT_EQ(read.sequence, 8192);
  EXPECT_THAT(read.unused, IsEmpty());
}

TEST(Megatron, NeMosOverridesAreFlagsToo) {
  const MegatronExecution read = read_megatron(
      "--nproc_per_node=8 model.tensor_model_parallel_size=2 model.micro_batch_size=1 "
      "model.global_batch_size=16 model.sequence_parallel=True model.overlap_grad_reduce=False --bf16");
  EXPECT_EQ(read.execution["tensor_par"], 2);
  EXPECT_EQ(read.execution["data_par"], 4);
  EXPECT_EQ(read.execution["tensor_par_comm_type"], "rs_ag");
  EXPECT_EQ(read.execution["data_par_overlap"], false);
}

TEST(Megatron, NamesFlagsThatMayChangeTheStep) {
  EXPECT_THAT(
      read_megatron(std::string(usual_line) + " --delay-wgrad-compute --cuda-graph-impl local").unused,
      ElementsAre("--cuda-graph-impl", "--delay-wgrad-compute"));
}

TEST(Megatron, NamesFlagsThatBeginLikeIdleOnes) {
  const std::string line =
      std::string(usual_line) +
      " --optimizer adam --optimizer-cpu-offload --moe-shared-expert-intermediate-size 64 "
      "--moe-shared-expert-overlap --num-layers-per-virtual-pipeline-stage 2 --lr-decay-iters 9";
  EXPECT_THAT(read_megatron(line).unused,
              ElementsAre("--moe-shared-expert-overlap", "--num-layers-per-virtual-pipeline-stage",
                          "--optimizer-cpu-offload"));
}

TEST(Megatron, ProductsThatNoExecutionHasAreRefused) {
  const std::string most = "1000000000";
  EXPECT_EQ(message_of([&] { read_megatron("--nproc-per-node " + most + " --nnodes " + most); }),
            "--megatron: processors: expected 1000000000 at most, got 1000000000 x 1000000000");
  EXPECT_EQ(
      message_of([] {  // 2^72: nothing is left of it in 64 bits
        read_megatron(
            "--nproc-per-node 8 --tensor-model-parallel-size 16777216 "
            "--pipeline-model-parallel-size 16777216 --context-parallel-size 16777216");
      }),
      "--megatron: tensor x pipeline x context parallelism: expected 1000000000 at most, got 16777216 x "
      "16777216");
  EXPECT_EQ(
      message_of([&] { read_megatron("--nproc-per-node 8 --nnodes 100000000 --micro-batch-size " + most); }),
      "--megatron: global batch size: expected 1000000000 at most, got 1000000000 x 800000000");
}

TEST(Megatron, DropsWhatDoesNothing) {
  const auto e = read_megatron(
                     "--nproc-per-node 1 --micro-batch-size 1 --use-distributed-optimizer --tp-comm-overlap "
                     "--context-parallel-size 1 --overlap-grad-reduce")
                     .execution;
  EXPECT_EQ(e["optimizer_sharding"], false);
  EXPECT_EQ(e["data_par_overlap"], false);
  EXPECT_EQ(e["tensor_par_overlap"], "none");
  EXPECT_FALSE(e.contains("context_par"));
}

TEST(Megatron, LinesThatSayTooLittleOrNonsenseAreRefused) {
  EXPECT_THAT(message_of([] { read_megatron("--micro-batch-size 1"); }),
              HasSubstr("--nproc-per-node is missing"));
  EXPECT_THAT(message_of([] { read_megatron("--nproc-per-node 8"); }),
              HasSubstr("--micro-batch-size is missing"));
  EXPECT_THAT(
      message_of([] { read_megatron("--nproc-per-node 8 --tensor-model-parallel-size many"); }),
      HasSubstr("--tensor-model-parallel-size: expected a whole number from 1 to 1000000000, got 'many'"));
  EXPECT_THAT(message_of([] {
                read_megatron("--nproc-per-node 8 --tensor-model-parallel-size 3 --micro-batch-size 1");
              }),
              HasSubstr("8 processors: expected a multiple of tensor x pipeline x context parallelism, 3"));
  EXPECT_THAT(message_of([] { read_megatron("--nproc-per-node '8"); }),
              HasSubstr("--megatron: ' is not closed in: "));
}

}  // namespace
}  // namespace assay::model
