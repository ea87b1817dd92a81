// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "results/tests/fixed_verdicts.hpp"

namespace assay::results::test {
namespace {

Verdicts of_accept() {
  Verdicts verdicts{.command = "accept",
                    .subject = "32 GPUs, 12 points each",
                    .expected_false_flags = 0.01,
                    .notes = {"a first look would send a loss of 3.1 % to a second look in 99 of 100 cases"}};
  verdicts.rows = {{.unit = "node-b/gpu3",
                    .kind = "gpu",
                    .metric = "gemm.cuda.matmul/m=8192",
                    .verdict = Verdict::fail,
                    .value = Number{561.2, 558.9, 563.5},
                    .value_unit = "TFLOP/s",
                    .limit = VerdictLimit{.lowest = 600},
                    .limit_source = "limits/example.toml: a made-up limit",
                    .n = 60,
                    .smallest_defect = 0.021,
                    .because = "6.5 % below the limit",
                    .evidence = {"first look: 6.9 % slower than its equals", "two fresh looks: 6.4 %, 6.6 %"},
                    .meaning = "this GPU is slower than it has to be",
                    .action = Action::replace},
                   {.unit = "node-b/gpu3",
                    .kind = "gpu",
                    .metric = "memory.cuda.read",
                    .verdict = Verdict::fail,
                    .because = "8.0 % slower than its equals",
                    .action = Action::replace},
                   {.unit = "node-c/gpu1",
                    .kind = "gpu",
                    .metric = "memory.cuda.copy",
                    .verdict = Verdict::inconclusive,
                    .because = "2.4 % slower at first, not measured again",
                    .action = Action::retest},
                   {.unit = "node-a/gpu0",
                    .kind = "gpu",
                    .metric = "gemm.cuda.matmul/m=8192",
                    .verdict = Verdict::pass,
                    .because = "within the limit",
                    .action = Action::none}};
  settle(verdicts);
  return verdicts;
}

Verdicts of_check() {
  Verdicts verdicts{.command = "check", .subject = "node-c"};
  verdicts.rows = {{.unit = "mlx5_0/1",
                    .metric = "rdma.counters",
                    .verdict = Verdict::fail,
                    .because = "link_downed moved by 2 <in service> & \"since\" the last check",
                    .evidence = {"link_downed 4 to 6"},
                    .meaning = "the link went down",
                    .action = Action::reseat},
                   {.metric = "kernel.log", .verdict = Verdict::not_run, .because = "the log cannot be read"},
                   {.unit = "GPU 0", .metric = "gpu.ecc", .verdict = Verdict::pass, .because = "no errors"},
                   {.metric = "nvlink.state",
                    .verdict = Verdict::not_run,
                    .because = "there is no NVLink here",
                    .excused = true}};
  settle(verdicts);
  return verdicts;
}

}  // namespace

std::vector<Verdicts> fixed_verdicts() {
  std::vector<Verdicts> all{of_accept(), of_check()};
  for (Verdicts& verdicts : all) name_origin(verdicts, "imported");
  return all;
}

}  // namespace assay::results::test
