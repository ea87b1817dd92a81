// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "collectives/measure/group_part.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <limits>
#include <utility>

#include "collectives/algorithms/schedules.hpp"
#include "collectives/measure/bandwidth.hpp"
#include "harness/core/error.hpp"
#include "harness/core/seconds_since.hpp"

namespace assay::collectives {
namespace {

constexpr std::size_t most_kept = 2000;  // iterations of each rank, for the skew

constexpr int exchanges = 16;

template <class T>
void send(Transport& transport, int to, const T& value) {
  transport.send(to, std::as_bytes(std::span(&value, 1)));
  transport.wait();
}

template <class T>
T receive(Transport& transport, int from) {
  T value{};
  transport.receive(from, std::as_writable_bytes(std::span(&value, 1)));
  transport.wait();
  return value;
}

ClockOffset ask(Transport& transport, int rank) {
  ClockOffset best{0, std::numeric_limits<double>::infinity()};
  for (int i = 0; i < exchanges; ++i) {
    const double asked = core::steady_seconds();
    send(transport, rank, asked);
    const auto theirs = receive<double>(transport, rank);
    const double heard = core::steady_seconds();
    const double uncertainty = (heard - asked) / 2;
    if (uncertainty < best.uncertainty_s) best = {theirs - (asked + heard) / 2, uncertainty};
  }
  if (std::abs(best.seconds) <= best.uncertainty_s) best.seconds = 0;
  return best;
}

}  // namespace

ClockOffset offset_from_rank_0(Transport& transport) {
  if (transport.rank() == 0) {
    for (int rank = 1; rank < transport.size(); ++rank) {
      const ClockOffset offset = ask(transport, rank);
      send(transport, rank, std::array{offset.seconds, offset.uncertainty_s});
    }
    return {};
  }
  for (int i = 0; i < exchanges; ++i) {
    receive<double>(transport, 0);
    send(transport, 0, core::steady_seconds());
  }
  const auto mine = receive<std::array<double, 2>>(transport, 0);
  return {mine[0], mine[1]};
}

Operands::Memory Operands::allocate(std::size_t bytes) {
  constexpr std::size_t page = 4096;
  const std::size_t whole = std::max((bytes + page - 1) / page, std::size_t{1}) * page;
  Memory memory(static_cast<std::byte*>(std::aligned_alloc(page, whole)));
  if (!memory)
    throw core::Error(core::ErrorKind::system, fmt::format("no memory for a buffer of {} bytes", bytes));
  return memory;
}

Operands::Operands(Problem problem, const Content& content, int rank)
    : problem_(std::move(problem)), content_(content), rank_(rank) {
  const Shape shape = shape_of(problem_, rank);
  const auto size = [&](std::int64_t elements) {
    return static_cast<std::size_t>(elements * bytes_of(content.type));
  };
  if (problem_.in_place) {
    first_ = allocate(size(shape.together));
    input_ = {first_.get() + size(shape.input_at), size(shape.input)};
    output_ = {first_.get() + size(shape.output_at), size(shape.output)};
  } else {
    first_ = allocate(size(shape.input));
    second_ = allocate(size(shape.output));
    input_ = {first_.get(), size(shape.input)};
    output_ = {second_.get(), size(shape.output)};
  }
  refill();
}

void Operands::refill() {
  constexpr int spoilt = 0xff;  // NaN in every floating-point type, -1 in whole numbers
  if (!output_.empty()) std::memset(output_.data(), spoilt, output_.size());
  fill_input(problem_, content_, rank_, input_);
}

std::optional<std::string> Operands::first_wrong() const {
  return collectives::first_wrong(problem_, content_, rank_, output_);
}

bool Operands::keep_their_input() const {
  switch (problem_.operation) {
    case Operation::all_gather:
    case Operation::gather:
    case Operation::scatter:
    case Operation::broadcast:
    case Operation::barrier:
      return true;
    default:
      return !problem_.in_place;
  }
}

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
  const std::span<const double> ends_s = made_.runner->phase_ends_s();
  own_.phase_ends_s.insert(own_.phase_ends_s.end(), ends_s.begin(), ends_s.end());
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
  own_.phase_ends_s.reserve(most_kept * made_.runner->phases().size());
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
