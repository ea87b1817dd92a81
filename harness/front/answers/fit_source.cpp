// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "harness/front/answers/fit_source.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <array>
#include <iostream>
#include <set>
#include <stdexcept>
#include <utility>

#include "harness/core/error.hpp"
#include "harness/front/answers/open_store.hpp"
#include "results/export/timings_csv.hpp"
#include "results/store/stored_points.hpp"

namespace assay::answers {
namespace {

using TimingsOf = results::TimingsCsv (*)(const results::Store&, const std::optional<std::string>&,
                                          const std::string&);

/// Functions in the order of model::fit::all_kinds.
constexpr std::array<TimingsOf, model::fit::all_kinds.size()> timings_of{
    results::gemm_timings_csv,   results::collective_timings_csv,
    results::memory_timings_csv, results::vector_timings_csv,
    results::link_timings_csv,   results::verbs_timings_csv,
    results::slowdowns_csv,      results::overlaps_csv};

/// "store.sqlite (run-1, run-2)", and what the numbers are where not all were measured.
std::string name_of(const std::string& store, const std::vector<std::string>& runs,
                    const std::set<std::string>& origins) {
  const bool measured = origins == std::set<std::string>{"measured"};
  return fmt::format("{} ({}{}{})", store, fmt::join(runs, ", "), measured ? "" : "; ",
                     measured ? "" : fmt::format("{}", fmt::join(origins, ", ")));
}

}  // namespace

FitSource runs_of_store(const std::filesystem::path& store, const std::vector<std::string>& runs) {
  return {.csv = {}, .store = store.string(), .filter = {}, .runs = runs};
}

results::TimingsCsv timings_csv(const results::Store& store, const std::string& run,
                                model::fit::CoefficientsKind kind, const std::string& filter) {
  return timings_of[static_cast<std::size_t>(kind)](store, run, filter);
}

namespace {

void refuse_with_csv(const FitSource& source) {
  if (!source.csv.empty() && source.runs != FitSource{}.runs)
    core::usage_error("--csv excludes --run (see assay --help)");
  if (!source.csv.empty() && !source.filter.empty())
    core::usage_error("--csv excludes --filter (see assay --help)");
}

/// The rows of several runs as one text.
class JoinedRows {
 public:
  void add(const results::TimingsCsv& csv) {
    text_ = text_.empty() ? csv.text : text_ + csv.text.substr(csv.text.find('\n') + 1);
    left_out_ += csv.left_out;
    origins_.insert(csv.origin);
  }
  bool empty() const { return text_.empty(); }
  model::fit::CsvSource named(const FitSource& source) && {
    if (left_out_ > 0) std::cerr << fmt::format("left out: {} points that are not such timings\n", left_out_);
    return {name_of(source.store, source.runs, origins_), std::move(text_)};
  }

 private:
  std::string text_;
  std::int64_t left_out_ = 0;
  std::set<std::string> origins_;
};

enum class WithoutRows { refused, left_out };

JoinedRows joined_rows(const FitSource& source, model::fit::CoefficientsKind kind, WithoutRows runs) {
  const results::Store store = open_existing_store(source.store);
  JoinedRows rows;
  for (const std::string& run : source.runs) try {
      rows.add(timings_csv(store, run, kind, source.filter));
    } catch (const results::NoTimings& none) {
      if (runs == WithoutRows::refused) core::usage_error(none.what());
    } catch (const core::Error&) {
      throw;
    } catch (const std::runtime_error& error) {
      core::usage_error(error.what());
    }
  return rows;
}

}  // namespace

model::fit::CsvSource fit_rows(const FitSource& source, model::fit::CoefficientsKind kind) {
  refuse_with_csv(source);
  if (!source.csv.empty()) return source.csv;
  return joined_rows(source, kind, WithoutRows::refused).named(source);
}

std::optional<model::fit::CsvSource> fit_rows_if_any(const FitSource& source,
                                                     model::fit::CoefficientsKind kind) {
  JoinedRows rows = joined_rows(source, kind, WithoutRows::left_out);
  if (rows.empty()) return std::nullopt;
  return std::move(rows).named(source);
}

void for_each_section(const std::string& coefficients, const FitSource& source, const UseOfSection& use) {
  for (const std::string& section : model::fit::sections_of_coefficients(coefficients)) {
    const model::fit::CoefficientsKind kind = model::fit::kind_of_coefficients(section);
    if (!model::fit::predicts_times(kind)) continue;
    if (const auto rows = fit_rows_if_any(source, kind)) use(section, kind, *rows);
  }
}

std::optional<model::fit::CsvSource> rows_if_any(const std::string& store, const std::string& run,
                                                 model::fit::CoefficientsKind kind,
                                                 const std::string& filter) {
  const results::Store opened = open_existing_store(store);
  static_cast<void>(results::find_run(opened, run));  // a run that is not there is an error
  try {
    results::TimingsCsv csv = timings_csv(opened, run, kind, filter);
    return model::fit::CsvSource(name_of(store, {run}, {csv.origin}), std::move(csv.text));
  } catch (const std::runtime_error&) {
    return std::nullopt;
  }
}

}  // namespace assay::answers
