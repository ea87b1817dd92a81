// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Verdicts with every field set, and with text that every format must escape; the numbers are made up.
#pragma once

#include "results/judge/verdict/verdicts.hpp"

namespace assay::results::test {

inline Verdicts sample_verdicts() {
  Verdicts verdicts{
      .command = "accept", .subject = "2 gpus", .expected_false_flags = 0.01, .notes = {"simulated"}};
  verdicts.rows = {{.unit = "h1/gpu0",
                    .kind = "gpu",
                    .metric = "copy",
                    .verdict = Verdict::pass,
                    .value = Number{49.5, 49, 50},
                    .value_unit = "GB/s",
                    .limit = VerdictLimit{.lowest = 48},
                    .limit_source = "a runbook",
                    .n = 3,
                    .smallest_defect = 0.04,
                    .because = "within the limit",
                    .action = Action::none},
                   {.unit = "h1/gpu1",
                    .kind = "gpu",
                    .metric = "copy",
                    .verdict = Verdict::fail,
                    .value = Number{44.5, 44, 45},
                    .value_unit = "GB/s",
                    .limit = VerdictLimit{.lowest = 48},
                    .limit_source = "a \"runbook\" & <more>",
                    .n = 3,
                    .because = "beyond\nthe limit",
                    .evidence = {"run 1\\2"},
                    .meaning = "slow",
                    .action = Action::drain},
                   {.unit = "h2",
                    .kind = "host",
                    .metric = "all points",
                    .verdict = Verdict::not_run,
                    .because = "not there"},
                   {.unit = "", .kind = "rack", .metric = "racks", .because = "too few", .excused = true}};
  name_origin(verdicts, "imported");
  settle(verdicts);
  return verdicts;
}

}  // namespace assay::results::test
