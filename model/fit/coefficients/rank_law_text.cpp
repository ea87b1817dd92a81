// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// The laws over ranks as `assay fit collectives` prints them.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "model/fit/laws/rank_law.hpp"

namespace assay::model::fit {
namespace {

std::string line_of_error(const std::string& name, const Accuracy& error) {
  return fmt::format("  {:<22} {:>7} {:>8.2f} {:>8.2f} {:>+8.2f}\n", name, error.rows, error.mape_percent,
                     error.p90_percent, error.bias_percent);
}

std::string text_of(const RankRegime& regime) {
  std::string text = fmt::format("  {:.0f} to {:.0f} bytes\n", regime.from_bytes, regime.to_bytes);
  for (const Coefficient* of : {&regime.step, &regime.bandwidth, &regime.call})
    if (of->value > 0)
      text += fmt::format("    {:<16} {:>12.5g}  95 % interval {:.5g} to {:.5g}\n", of->name, of->value,
                          of->lower, of->upper);
  return text;
}

}  // namespace

std::string text_of(const std::vector<RankLaw>& laws) {
  std::string text;
  for (const RankLaw& law : laws) {
    text += fmt::format("{}: law over ranks, {}, measured {}\n", law.name(), law.shape->name,
                        fmt::join(law.ranks, " "));
    for (const RankRegime& regime : law.regimes) text += text_of(regime);
    text += fmt::format("  {:<22} {:>7} {:>8} {:>8} {:>8}\n", "held-out ranks", "rows", "MAPE %", "p90 %",
                        "bias %");
    for (const auto& [ranks, error] : law.held_out_of)
      text += line_of_error(fmt::format("  {}", ranks), error);
    text += line_of_error("all", law.held_out);
  }
  return text;
}

}  // namespace assay::model::fit
