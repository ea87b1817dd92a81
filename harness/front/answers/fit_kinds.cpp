// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "harness/front/answers/fit_kinds.hpp"

#include <fmt/format.h>

#include <cmath>

#include "harness/core/calendar.hpp"
#include "harness/core/error.hpp"
#include "model/fit/coefficients/evaluate.hpp"
#include "model/fit/laws/usage_fit.hpp"

namespace assay::answers {
namespace {

namespace fit = model::fit;
using fit::CoefficientsKind;

/// The rows of a fit, and what its file says of them.
template <class Row>
struct FitRows {
  fit::Timings<Row> timings;
  fit::Provenance provenance;
  fit::SeenRows seen;
};

/// Drops the rows to keep out of the fit; the choice does not depend on the rows held out to judge it.
template <class Row>
FitRows<Row> kept(fit::Timings<Row> timings, const FitChoices& choices) {
  std::erase_if(timings.rows, [&](const Row& row) {
    return fit::split_bucket(choices.seed, "keep out," + row.key()) < choices.keep_out_percent;
  });
  fit::Provenance provenance = fit::provenance_of(timings.table, timings.machine, timings.rows.size(),
                                                  choices.seed, core::iso_time_now());
  fit::SeenRows seen = fit::SeenRows::of(timings.rows);
  return {std::move(timings), std::move(provenance), std::move(seen)};
}

std::string held_out_text(const std::string& title, const fit::Errors& errors, const std::string& size_unit) {
  if (errors.empty()) return {};
  return fmt::format("{:<24} {:>7} {:>8} {:>8} {:>8}\n", title, "rows", "MAPE %", "p90 %", "bias %") +
         fit::text_of(errors, size_unit);
}

std::string text_of(const fit::Coefficient& coefficient) {
  if (coefficient.is_unbounded())
    return fmt::format("  {:<18} {:>12}  times do not grow with the size\n", coefficient.name, "unknown");
  return fmt::format("  {:<18} {:>12.5g}  95 % interval {:.5g} to {:.5g}\n", coefficient.name,
                     coefficient.value, coefficient.lower, coefficient.upper);
}

/// Warnings of the fit, with those about rows that hardly any hardware reaches.
template <class Row, class Fit>
std::vector<std::string> all_warnings(const FitRows<Row>& rows, const Fit& fitted) {
  std::vector<std::string> all = rows.timings.doubts;
  for (std::string& warning : fit::warnings_of(fitted)) all.push_back(std::move(warning));
  return all;
}

FittedKind fit_gemm(const fit::CsvSource& source, const FitChoices& choices) {
  const auto rows = kept(fit::read_gemm_timings(source), choices);
  const auto fits = fit::fit_gemm(
      rows.timings, {.seed = choices.seed, .multiprocessors = choices.multiprocessors, .trees = {}});
  std::string text;
  for (const auto& [group, result] : fits.groups) {
    text += fmt::format("{}, formula: {}\n", group, fit::to_string(result.model.formula));
    for (const fit::Coefficient& coefficient : result.model.coefficients) text += text_of(coefficient);
    text += held_out_text("held-out shapes", result.held_out.rows, "FLOP");
    text += held_out_text("held-out (n, k) pairs", result.held_out.pairs, "FLOP");
    text += held_out_text("repeats, off each other", result.held_out.repeats, "FLOP");
  }
  return {fit::section_of(rows.provenance, rows.seen, fits), all_warnings(rows, fits), text};
}

FittedKind fit_collectives(const fit::CsvSource& source, const FitChoices& choices) {
  const auto rows = kept(fit::read_collective_timings(source), choices);
  const fit::CollectiveFit result = fit::fit_collectives(rows.timings, choices.seed);
  return {fit::section_of(rows.provenance, rows.seen, result), all_warnings(rows, result),
          held_out_text("held-out sizes", result.held_out, "bytes") +
              held_out_text("held-out ends", result.held_out_ends, "bytes") +
              held_out_text("segments alone", result.held_out_segments, "bytes") +
              fit::text_of(result.rank_laws)};
}

FittedKind fit_sizes(CoefficientsKind kind, const fit::CsvSource& source, const FitChoices& choices) {
  const auto rows = kept(fit::read_size_timings(source), choices);
  const fit::SizeFit result = fit::fit_sizes(rows.timings, choices.seed);
  std::string text;
  for (const auto& [name, segments] : result.curves) {
    text += name + '\n';
    for (const fit::Segment& segment : segments)
      text += fmt::format("  {:.0f} to {:.0f} bytes\n", segment.from_bytes, segment.to_bytes) +
              text_of(segment.latency) + text_of(segment.bandwidth);
  }
  return {fit::section_of(kind, rows.provenance, rows.seen, result), all_warnings(rows, result),
          text + held_out_text("held-out sizes", result.held_out, "bytes")};
}

FittedKind fit_loggp(const fit::CsvSource& source, const FitChoices& choices) {
  const auto rows = kept(fit::read_verbs_timings(source), choices);
  const fit::LogGpFit result = fit::fit_loggp(rows.timings, choices.seed);
  std::string text;
  for (const auto& [name, link] : result.links) {
    text += name + '\n';
    for (const fit::Coefficient& coefficient : link.coefficients) text += text_of(coefficient);
    for (const fit::Coefficient& coefficient : {link.overhead, link.latency})
      if (!std::isnan(coefficient.value)) text += text_of(coefficient);
  }
  return {fit::section_of(rows.provenance, rows.seen, result), all_warnings(rows, result),
          text + held_out_text("held-out messages", result.held_out, "bytes")};
}

FittedKind fit_interference(const fit::CsvSource& source, const FitChoices& choices) {
  const auto rows = kept(fit::read_slowdowns(source), choices);
  const auto usages = fit::fit_usage(rows.timings);
  std::string text;
  for (const auto& [contest, usage] : usages) text += contest + '\n' + text_of(usage);
  return {fit::section_of(rows.provenance, rows.seen, usages), all_warnings(rows, usages), text};
}

/// Each row of a contest as measured, and as its other rows predict it.
std::string text_of(const std::vector<fit::UnseenOverlap>& rows) {
  std::string text = fmt::format("  {:<50} {:>12} {:>12} {:>8}\n", "by the other rows", "measured us",
                                 "predicted us", "off %");
  for (const fit::UnseenOverlap& row : rows)
    text += fmt::format("  {:<50} {:>12.1f} {:>12.1f} {:>+8.1f}\n", row.point, row.time_us, row.predicted_us,
                        100 * (row.predicted_us / row.time_us - 1));
  return text;
}

FittedKind fit_overlaps(const fit::CsvSource& source, const FitChoices& choices) {
  const auto rows = kept(fit::read_overlaps(source), choices);
  const fit::OverlapFit result = fit::fit_overlap(rows.timings);
  std::string text;
  for (const auto& [contest, efficiency] : result.efficiencies) {
    text += contest + '\n' + text_of(efficiency);
    if (const auto found = result.unseen.find(contest); found != result.unseen.end())
      text += text_of(found->second);
  }
  return {fit::section_of(rows.provenance, rows.seen, result), all_warnings(rows, result),
          text + held_out_text("by the other rows", result.held_out, "us") +
              held_out_text("none hidden", result.assumed_none, "us") +
              held_out_text("all hidden", result.assumed_all, "us")};
}

}  // namespace

FittedKind fit_kind(CoefficientsKind kind, const fit::CsvSource& rows, const FitChoices& choices) {
  switch (kind) {
    case CoefficientsKind::gemm:
      return fit_gemm(rows, choices);
    case CoefficientsKind::collectives:
      return fit_collectives(rows, choices);
    case CoefficientsKind::memory:
    case CoefficientsKind::vector:
    case CoefficientsKind::links:
      return fit_sizes(kind, rows, choices);
    case CoefficientsKind::loggp:
      return fit_loggp(rows, choices);
    case CoefficientsKind::interference:
      return fit_interference(rows, choices);
    case CoefficientsKind::overlap:
      return fit_overlaps(rows, choices);
  }
  core::usage_error("unknown kind of coefficients");
}

}  // namespace assay::answers
