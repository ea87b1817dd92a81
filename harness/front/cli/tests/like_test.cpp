// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// assay like: commands as people type them, and what assay's command is.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "harness/front/cli/tests/said.hpp"

namespace assay::cli {
namespace {

using testing::HasSubstr;
using tests::Said;

Said like_said(const std::string& command, const std::string& flags = "") {
  return tests::assay_in("/", "like " + flags + " \"" + command + "\"");
}

struct Translated {
  const char *theirs, *ours;
};

class LikeCommand : public testing::TestWithParam<Translated> {};

TEST_P(LikeCommand, PrintsOurCommandFirst) {
  const Said said = like_said(GetParam().theirs);
  EXPECT_EQ(said.exit_code, 0) << said.text;
  EXPECT_EQ(said.text.substr(0, said.text.find('\n')), GetParam().ours);
}

INSTANTIATE_TEST_SUITE_P(
    Tools, LikeCommand,
    testing::Values(
        Translated{
            "all_reduce_perf -b 8 -e 8G -f 2 -g 8",
            "assay run --plan full --filter collectives.nccl.all_reduce --axis bytes=8B:8GiB:x2 --ranks 8"},
        Translated{"mpirun -np 16 ./build/alltoall_perf -b1M -e1M -d half -o sum -G 1",
                   "assay run --plan full --filter collectives.nccl.all_to_all --axis "
                   "bytes=1MiB,dtype=fp16,launch=graph --launcher mpirun --ranks 16"},
        Translated{
            "srun -N2 --ntasks-per-node=8 reduce_scatter_perf -b 1M -e 1M -o max",
            "assay run --plan full --filter collectives.nccl.reduce_scatter --axis bytes=1MiB,operator=max "
            "--launcher srun"},
        Translated{
            "ib_write_bw -d mlx5_0 -i 2 -m 4096 -S 3 -c UC --use_cuda=0 node2",
            "assay run --plan full --filter rdma.verbs.bandwidth --axis "
            "operation=write,bytes=65536B,mtu=4096,service_level=3,device=mlx5_0:2,memory=cuda,transport=uc "
            "--hosts node2"},
        Translated{"mpirun -np 4 IMB-MPI1 -time 10 -map 2x2 Barrier",
                   "assay run --plan full --filter collectives.mpi.barrier --launcher mpirun --ranks 4"},
        Translated{"IMB-MPI1 Allreduce -msglog 0:4",
                   "assay run --plan full --filter collectives.mpi.all_reduce --axis bytes=1B:16B:x2"},
        Translated{"dcgmi diag -r 1 -j -v", "assay check --format json --all"},
        Translated{"ib_write_bw -d mlx5_0 -q 4 -s 1048576 --report_gbits node2",
                   "assay run --plan full --filter rdma.verbs.bandwidth --axis "
                   "operation=write,bytes=1048576B,qps=4,device=mlx5_0 --hosts node2"},
        Translated{"ib_send_lat -a node2",
                   "assay run --plan full --filter rdma.verbs.latency --axis operation=send,bytes=2B:8MiB:x2 "
                   "--hosts node2"},
        Translated{
            "ib_read_bw -b node2",
            "assay run --plan full --filter rdma.verbs.bidirectional --axis operation=read,bytes=65536B "
            "--hosts node2"},
        Translated{
            "nvbandwidth -t host_to_device_memcpy_ce",
            "assay run --plan full --filter offload.cuda.copy --axis bytes=512MiB,direction=h2d,by=engine"},
        Translated{"nvbandwidth -b 64",
                   "assay run --plan full --filter 'offload.cuda.*copy' --axis bytes=64MiB"},
        Translated{"dcgmi diag -r 1", "assay check"},
        Translated{"dcgmi diag -r 3", "assay burn-in --level medium"},
        Translated{"gpu_burn 60", "assay burn-in --modules gemm --for 60s"},
        Translated{"gpu_burn -d 3600", "assay burn-in --modules gemm --for 3600s --axis dtype=fp64"},
        Translated{"./stream_c.exe",
                   "assay run --plan full --filter memory.host.copy --filter memory.host.scale --filter "
                   "memory.host.add --filter memory.host.triad"},
        Translated{"srun --ntasks=8 IMB-MPI1 Allreduce -msglog 3:20",
                   "assay run --plan full --filter collectives.mpi.all_reduce --axis bytes=8B:1048576B:x2 "
                   "--launcher "
                   "srun --ranks 8"},
        Translated{"osu_bcast -m 8:1048576",
                   "assay run --plan full --filter collectives.mpi.broadcast --axis bytes=8B:1048576B:x2"}));

TEST(Like, SaysWhichFlagsItLeavesOutAndWhy) {
  const Said said = like_said("NCCL_ALGO=Ring all_reduce_perf -n 20 -w 5 -c 0 --strange 7");
  EXPECT_THAT(said.text,
              testing::AllOf(HasSubstr("# -n: assay repeats"), HasSubstr("# -w: assay warms up"),
                             HasSubstr("# -c: assay always checks"), HasSubstr("# --strange: not translated"),
                             HasSubstr("# NCCL_ALGO=Ring: not translated")));
}

TEST(Like, RefusesInOneLineWhatItDoesNotKnow) {
  for (const auto& [command, says] :
       {Translated{"all_reduce_pref -b 8", "did you mean all_reduce_perf?"},
        Translated{"all_reduce_perf -b much", "-b much: expected a size"},
        Translated{"all_reduce_perf -g 0", "-g 0: expected a whole number from 1 to 1048576"},
        Translated{"all_reduce_perf -g 9223372036854775807 -t 2",
                   "expected a whole number from 1 to 1048576"},
        Translated{"all_reduce_perf -b 1.2.3G", "-b 1.2.3G: expected a size"},
        Translated{"IMB-MPI1 Allreduce -msglog 99", "-msglog 99: expected a whole number from 0 to 40"},
        Translated{"ib_write_bw --strange 4096 node2",
                   "--strange: unknown, and so is whether '4096' is its value"},
        Translated{"ib_write_bw -c DC node2", "-c DC: expected RC, UC or UD"},
        Translated{"all_reduce_perf -b", "-b: expected a value"},
        Translated{"dcgmi diag -r 9", "expected a level from 1 to 4"},
        Translated{"nvbandwidth -t nothing", "assay has no such case"}}) {
    const Said said = like_said(command);
    EXPECT_EQ(said.exit_code, 2) << command;
    EXPECT_THAT(said.text, HasSubstr(says));
    EXPECT_EQ(std::ranges::count(said.text, '\n'), 1) << said.text;
  }
}

TEST(Like, RunsTheCommand) {
  const Said said = like_said("dcgmi diag -r 1", "--run");
  EXPECT_THAT(said.text,
              testing::AllOf(testing::StartsWith("assay check\n"), HasSubstr("Health of this node")));
}

}  // namespace
}  // namespace assay::cli
