// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Collectives and rdma patterns compared with what their fabric should do.
#include <fmt/format.h>

#include <stdexcept>

#include "harness/core/error.hpp"
#include "results/judge/judges.hpp"

namespace assay::results {
namespace {

std::vector<Judged> judge_fabric_speed(const Evidence& evidence) {
  const std::optional<double> margin = evidence.share_of("fabric-margin");
  if (!margin) return {};
  const auto fabrics = evidence.files_of("fabric");
  if (fabrics.empty())
    core::usage_error("--fabric-margin: expected --fabric FILE with it, which is simulated");
  if (!evidence.files_of("topology").empty())
    core::usage_error(
        "--fabric-margin: expected no --topology with it: a fabric is simulated as it is declared");
  if (!evidence.models.expect) throw std::runtime_error("fabric: there is no model to simulate it");
  const ExpectedTimes expected =
      evidence.models.expect(evidence.store, evidence.order.filter, fabrics.front());
  const std::string source = "simulated on " + fabrics.front().name;
  const ExpectationWords words{
      .limit = fmt::format("{:g} % of the speed {}", 100 * (1 - *margin), source),
      .slower = "the fabric does less than it should, or its file is of another one; slow pairs show where",
      .faster = "faster than simulated by more than the margin: the file may be of another fabric",
      .if_slower = Action::retest};
  // A speed of at least 1 - margin is a time of at most 1 / (1 - margin).
  Verdicts verdicts = judge_expectations(expected.times, 1 / (1 - *margin) - 1, source, words);
  verdicts.subject = "fabric speed";
  return {{.verdicts = std::move(verdicts)}};
}

}  // namespace

Judge fabric_speed_judge() {
  return {"fabric speed",
          {{.kind = JudgeInput::Kind::share,
            .name = "fabric-margin",
            .flag = "--fabric-margin",
            .about = "with --fabric: how much slower than simulated collectives and rdma patterns may run"}},
          judge_fabric_speed};
}

}  // namespace assay::results
