// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "collectives/measure/group_part.hpp"

#include <utility>

#include "collectives/algorithms/schedules.hpp"
#include "collectives/measure/bandwidth.hpp"
#include "harness/core/seconds_since.hpp"

namespace assay::collectives {
namespace {

constexpr std::size_t most_kept = 2000;  // iterations of each rank, for the skew

}  // namespace

Executor barrier_over(Transport& transport) {
  const Problem barrier{.operation = Operation::barrier, .ranks = transport.size()};
  return Executor(dissemination_barrier(barrier, transport.rank()), DataType::int32, Operator::sum,
                  transport);
}

void run_barrier(Executor& barrier, FlightRing& ring) {
  ring.begins(Operation::barrier, 0, core::steady_seconds());
  barrier.run({}, {});
  ring.done();
}

GroupPart::GroupPart(Made made, const Content& content, FlightRing& ring)
    : made_(std::move(made)),
      ring_(&ring),
      bytes_(static_cast<std::int64_t>(counted_bytes(made_.problem, bytes_of(content.type)))),
      operands_(made_.problem, content, made_.transport->rank()),
      barrier_(barrier_over(*made_.transport)) {
  made_.runner->load(operands_.input(), operands_.output());
}

core::Timing GroupPart::run(std::int64_t iterations, Between between) {
  if (runs_together()) return run_together(iterations);
  core::Timing timing;
  timing.each_s.reserve(static_cast<std::size_t>(iterations));
  double begin = core::steady_seconds();
  for (std::int64_t i = 0; i < iterations; ++i) {
    run_once(begin);
    double end = core::steady_seconds();
    timing.each_s.push_back(end - begin);
    timing.seconds += end - begin;
    note(begin, end - begin);
    if (between == Between::barrier && i + 1 < iterations) {
      run_barrier(barrier_, *ring_);
      end = core::steady_seconds();
    }
    begin = end;
  }
  return timing;
}

core::Timing GroupPart::run_together(std::int64_t iterations) {
  const double begin = core::steady_seconds();
  ring_->begins(made_.problem.operation, bytes_, begin);
  made_.runner->run_together(iterations);
  ring_->done();
  const double seconds = core::steady_seconds() - begin;
  note(begin, seconds / static_cast<double>(iterations), iterations);
  return {.seconds = seconds};
}

void GroupPart::run_once(double now_s) {
  ring_->begins(made_.problem.operation, bytes_, now_s);
  made_.runner->run(operands_.input(), operands_.output());
  ring_->done();
}

void GroupPart::note(double entry_s, double took_s, std::int64_t iterations) {
  own_.iterations += iterations;
  own_.seconds += took_s * static_cast<double>(iterations);
  if (own_.entries_s.size() >= own_.entries_s.capacity()) return;
  own_.entries_s.push_back(entry_s - offset_.seconds);
  own_.durations_s.push_back(took_s);
}

void GroupPart::refill() {
  operands_.refill();
  made_.runner->load(operands_.input(), operands_.output());
}

void GroupPart::sampling_begins(const ClockOffset& offset) {
  if (operands_.keep_their_input()) refill();  // what is checked was written while sampling
  offset_ = offset;
  own_ = {.group = made_.group, .clock_uncertainty_s = offset.uncertainty_s};
  own_.entries_s.reserve(most_kept);
  own_.durations_s.reserve(most_kept);
}

core::Verification GroupPart::verify() {
  using Result = core::Verification::Result;
  const bool timed = operands_.keep_their_input();
  if (!timed) {
    refill();
    run_once(core::steady_seconds());
  }
  made_.runner->fetch(operands_.output());
  if (made_.problem.operation == Operation::barrier) return {Result::not_checked, "a barrier moves no data"};
  if (const auto wrong = operands_.first_wrong()) return {Result::wrong, *wrong};
  return {Result::right, timed ? "every element that the last timed iteration left, bit by bit"
                               : "every element of one more iteration, bit by bit: in place the timed ones "
                                 "ran on their own results"};
}

RankFigures GroupPart::figures() const {
  RankFigures figures = own_;
  if (const auto tiers = made_.runner->tiers()) {
    figures.bytes_inside = tiers->inside;
    figures.bytes_across = tiers->across;
  }
  return figures;
}

}  // namespace assay::collectives
