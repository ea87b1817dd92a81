// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "harness/core/measure/trial.hpp"

#include <iterator>

namespace assay::core {
namespace {

template <class T>
void append(std::vector<T>& all, std::vector<T> more) {
  all.insert(all.end(), std::make_move_iterator(more.begin()), std::make_move_iterator(more.end()));
}

}  // namespace

void Trial::within(std::size_t outer, Step step, std::int64_t iterations, const std::function<void()>& call) {
  if (outer == 0) return call();
  conditions_[outer - 1]->around(step, iterations, [&] { within(outer - 1, step, iterations, call); });
}

Timing Trial::run(std::int64_t iterations) {
  Timing timing;
  within_all(Step::run, [&] { timing = do_run(iterations); }, iterations);
  return timing;
}

Verification Trial::verify() {
  Verification verification;
  within_all(Step::verify, [&] { verification = do_verify(); });
  return verification;
}

std::vector<Signal> Trial::signals() {
  std::vector<Signal> all;
  for (const auto& condition : conditions_) append(all, condition->signals());
  append(all, do_signals());
  return all;
}

void Trial::sampling_begins() {
  within_all(Step::sampling_begins, [&] {
    do_sampling_begins();
    for (const auto& condition : conditions_) condition->sampling_begins();
  });
}

void Trial::sampling_ends() {
  within_all(Step::sampling_ends, [&] {
    for (const auto& condition : conditions_) condition->sampling_ends();
    do_sampling_ends();
  });
}

std::vector<Metric> Trial::metrics(const Measurement& measurement) {
  std::vector<Metric> all;
  within_all(Step::report, [&] {
    for (const auto& condition : conditions_) append(all, condition->metrics());
    append(all, do_metrics(measurement));
  });
  return all;
}

std::vector<Fact> Trial::facts() {
  std::vector<Fact> all;
  for (const auto& condition : conditions_) append(all, condition->facts());
  append(all, do_facts());
  return all;
}

Report Trial::report(const Measurement& measurement) {
  Report report{.metrics = metrics(measurement), .facts = facts()};
  report.links = do_links();
  report.flows = do_flows();
  report.ranks = do_ranks();
  return report;
}

}  // namespace assay::core
