// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "model/search/sensitivity.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "harness/core/error.hpp"
#include "harness/core/text/json_text.hpp"
#include "model/predict/answer/prediction.hpp"
#include "model/predict/read/read.hpp"
#include "model/search/mapping_text.hpp"

namespace assay::model {
namespace {

std::vector<std::string> default_keys(const SystemFile& file, Datatype datatype) {
  const std::string type(datatype_names[static_cast<std::size_t>(datatype)]);
  std::vector<std::string> keys = {fmt::format("matrix.{}.tflops", type),
                                   fmt::format("vector.{}.tflops", type), "mem1.GBps"};
  if (file.number("mem2.GiB") > 0) keys.emplace_back("mem2.GBps");
  for (std::size_t tier = 0; tier < file.json().at("networks").size(); ++tier)
    for (const char* key : {"bandwidth", "latency", "processor_usage"})
      keys.push_back(fmt::format("networks[{}].{}", tier, key));
  return keys;
}

Coefficient stated(const SystemFile& file, const std::string& key, const nlohmann::json& interval) {
  const std::string where = fmt::format("{}: {}.{}", file.name(), intervals_key, key);
  if (!interval.is_array() || interval.size() != 2 || !interval[0].is_number() || !interval[1].is_number())
    core::usage_error(fmt::format("{}: expected [low, high], got {}", where, core::json_text(interval)));
  const Coefficient found{.key = key,
                          .value = file.number(key),
                          .low = interval[0].get<double>(),
                          .high = interval[1].get<double>(),
                          .stated = true};
  if (!(found.low <= found.value && found.value <= found.high))
    core::usage_error(fmt::format("{}: expected an interval that holds the value {}, got {}", where,
                                  found.value, core::json_text(interval)));
  return found;
}

Coefficient around(const SystemFile& file, const std::string& key, double share) {
  const double value = file.number(key);
  return {.key = key, .value = value, .low = value * (1 - share), .high = value * (1 + share)};
}

Optimum optimum(const Question& question, const Candidate& candidate) {
  const Step step = predict(configuration_of(question, candidate.execution)).step;
  return {candidate.execution, candidate.sample_rate, step.time.total_s};
}

double rate_of(const Question& question, const Execution& execution, const Constraints& constraints) {
  const Prediction kept = predict(configuration_of(question, execution));
  return kept.verdict.feasible() && constraints.allow(kept.step) ? kept.step.sample_rate : 0;
}

/// Files of coefficients are not read again.
System moved(const System& system, SystemFile file, const Coefficient& of, End end) {
  if (of.move) {
    System there = system;
    of.move(there, end);
    return there;
  }
  file.set(of.key, end == End::low ? of.low : of.high);
  System there = file.system();
  copy_measured_times(system, there);
  return there;
}

AtEnd at_end(Question question, const SystemFile& file, const SearchOptions& options, const Candidate& best,
             const Coefficient& of, End at) {
  question.system = moved(question.system, file, of, at);
  const SearchResult found = search(question, options);
  AtEnd end{.best = {}, .same_mapping = false, .kept_rate = 0};
  if (found.best.empty()) return end;
  const Candidate& now = found.best[0];
  end.best = optimum(question, now);
  end.same_mapping = mapping_text(now.execution) == mapping_text(best.execution);
  end.kept_rate = rate_of(question, best.execution, options.constraints);
  return end;
}

double largest_change(const Sensitivity& of, const Optimum& best) {
  return std::max(std::fabs(change(of.low, best)), std::fabs(change(of.high, best)));
}

}  // namespace

std::vector<Coefficient> coefficients(const SystemFile& file, Datatype datatype, double share) {
  std::vector<Coefficient> found;
  const nlohmann::json intervals = file.json().value(intervals_key, nlohmann::json::object());
  if (!intervals.is_object())
    core::usage_error(
        fmt::format("{}: {}: expected an object of KEY: [low, high]", file.name(), intervals_key));
  for (const auto& [key, interval] : intervals.items()) found.push_back(stated(file, key, interval));
  for (const std::string& key : default_keys(file, datatype))
    if (!intervals.contains(key) && file.number(key) > 0) found.push_back(around(file, key, share));
  return found;
}

double change(const AtEnd& end, const Optimum& best) {
  return end.best ? end.best->sample_rate / best.sample_rate - 1 : -1;
}

SensitivityResult sensitivity(const Question& question, const SystemFile& file, const SearchOptions& options,
                              const Candidate& best, const std::vector<Coefficient>& coefficients) {
  SensitivityResult result{.best = optimum(question, best), .coefficients = {}};
  SearchOptions one = options;
  one.top = 1;
  one.front = false;
  for (const Coefficient& of : coefficients)
    result.coefficients.push_back({of, at_end(question, file, one, best, of, End::low),
                                   at_end(question, file, one, best, of, End::high)});
  std::ranges::stable_sort(result.coefficients, std::greater(),
                           [&](const Sensitivity& of) { return largest_change(of, result.best); });
  return result;
}

}  // namespace assay::model
