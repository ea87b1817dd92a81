// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "collectives/nccl/nccl_runner.hpp"

#include <algorithm>
#include <utility>

#include "collectives/nccl/nccl_memory.hpp"
#include "collectives/nccl/nccl_operation.hpp"
#include "collectives/nccl/scheduled_operation.hpp"
#include "harness/core/names.hpp"

namespace assay::collectives {
namespace {

// A longer sample takes several groups, one after the other: NCCL keeps all that a group holds in memory.
constexpr std::int64_t most_in_group = 256;

/// The largest shape of all ranks: windows are of one size everywhere.
Shape largest_shape(const Problem& problem) {
  Shape largest;
  for (int rank = 0; rank < problem.ranks; ++rank) {
    const Shape one = shape_of(problem, rank);
    largest.input = std::max(largest.input, one.input);
    largest.output = std::max(largest.output, one.output);
    largest.together = std::max(largest.together, one.together);
  }
  return largest;
}

}  // namespace

NcclRunner::NcclRunner(Made made, const Problem& problem, const Content& content, int rank, NcclWay way)
    : way_(std::move(way)), made_(std::move(made)), operation_(make_operation(problem, content, rank)) {
  allocate(problem, content, rank);
}

NcclRunner::~NcclRunner() = default;

std::unique_ptr<DeviceOperation> NcclRunner::make_operation(const Problem& problem, const Content& content,
                                                            int rank) {
  if (made_.algorithm == nullptr)
    return std::make_unique<NcclOperation>(*made_.calls, *made_.communicator, problem, content, rank);
  const ScheduledOperation::Place place{.calls = *made_.calls,
                                        .communicator = *made_.communicator,
                                        .accelerator = *made_.accelerator,
                                        .allocate = [this](std::int64_t bytes) { return add_memory(bytes); }};
  return std::make_unique<ScheduledOperation>(place, *made_.algorithm, problem, content, rank);
}

void NcclRunner::allocate(const Problem& problem, const Content& content, int rank) {
  const Shape shape = shape_of(problem, rank);
  const Shape sizes = way_.symmetric_window ? largest_shape(problem) : shape;
  const std::int64_t element = bytes_of(content.type);
  if (problem.in_place) {
    std::byte* const both = add_memory(sizes.together * element);
    input_ = both + shape.input_at * element;
    output_ = both + shape.output_at * element;
  } else {
    input_ = add_memory(sizes.input * element);
    output_ = add_memory(sizes.output * element);
  }
  if (!way_.registered) return;
  for (const auto& memory : memory_)
    registrations_.push_back(std::make_unique<Registration>(*made_.calls, *made_.communicator, *memory));
}

/// Never none: a barrier needs an element, and NCCL takes no null.
std::byte* NcclRunner::add_memory(std::int64_t bytes) {
  const auto size = static_cast<std::size_t>(std::max<std::int64_t>(bytes, sizeof(std::int64_t)));
  memory_.push_back(std::make_unique<NcclMemory>(*made_.calls, made_.accelerator, size,
                                                 way_.registered || way_.symmetric_window));
  return memory_.back()->data();
}

void NcclRunner::enqueue() { operation_->enqueue(input_, output_, made_.accelerator->stream()); }

void NcclRunner::wait() {
  made_.communicator->wait_until([&] { return made_.accelerator->is_idle(); }, operation_->function());
}

void NcclRunner::connect() {
  if (made_.ran) made_.ran->forget();  // the point before
  if (way_.symmetric_window)
    for (const auto& memory : memory_)
      windows_.push_back(std::make_unique<Window>(*made_.calls, *made_.communicator, *memory));
  if (way_.launch != Launch::graph) return;
  enqueue();  // NCCL connects the ranks now, and not while its work is kept
  wait();
  made_.accelerator->begin_keeping();
  enqueue();
  kept_ = made_.accelerator->end_keeping();
}

void NcclRunner::run(std::span<const std::byte>, std::span<std::byte>) {
  kept_ ? kept_->enqueue() : enqueue();
  wait();
}

void NcclRunner::run_together(std::int64_t iterations) {
  if (kept_) {
    for (std::int64_t i = 0; i < iterations; ++i) kept_->enqueue();
  } else {
    for (std::int64_t left = iterations; left > 0; left -= most_in_group) {
      NcclGroup group(*made_.calls, *made_.communicator);
      for (std::int64_t i = 0; i < std::min(left, most_in_group); ++i) enqueue();
      group.end();
    }
  }
  wait();
}

void NcclRunner::load(std::span<const std::byte> input, std::span<const std::byte> output) {
  made_.accelerator->to_device(output_, output);
  made_.accelerator->to_device(input_, input);
}

void NcclRunner::fetch(std::span<std::byte> output) { made_.accelerator->to_host(output, output_); }

void NcclRunner::add_what_ran(std::vector<core::Fact>& facts) const {
  const auto ran = made_.ran ? made_.ran->latest() : std::nullopt;
  if (!ran) {
    facts.emplace_back(core::names::nccl_algorithm, "unknown");
    facts.emplace_back("nccl_algorithm_note",
                       made_.why_unreported.empty() ? "NCCL reported no call" : made_.why_unreported);
  } else {
    facts.emplace_back(core::names::nccl_algorithm, ran->algorithm.empty() ? "none" : ran->algorithm);
    facts.emplace_back(core::names::nccl_protocol, ran->protocol.empty() ? "none" : ran->protocol);
    facts.emplace_back(core::names::nccl_channels, static_cast<std::int64_t>(ran->channels));
    if (const std::string why = why_no_wire_rate(ran->algorithm); !why.empty())
      facts.emplace_back("busbw_is_wire_rate", why);
  }
  if (way_.choice.is_forced()) facts.emplace_back("nccl_forced", compared(way_.choice, ran));
}

std::vector<core::Fact> NcclRunner::facts() const {
  std::vector<core::Fact> facts{
      {"nccl_function", operation_->function()},
      {"nccl_communicator", made_.communicator_is_kept ? "kept from a point before" : "made for this point"}};
  if (way_.launch == Launch::group) facts.emplace_back("iterations_in_group_at_most", most_in_group);
  for (core::Fact& fact : operation_->facts()) facts.push_back(std::move(fact));
  if (made_.algorithm == nullptr) add_what_ran(facts);
  return facts;
}

}  // namespace assay::collectives
