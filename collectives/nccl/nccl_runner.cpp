// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "collectives/nccl/nccl_runner.hpp"

#include <algorithm>
#include <utility>

#include "collectives/nccl/nccl_operation.hpp"
#include "collectives/nccl/scheduled_operation.hpp"
#include "harness/core/names.hpp"
#include "harness/cuda/check.hpp"

namespace assay::collectives {
namespace {

// A longer sample takes several groups, one after the other: NCCL keeps all that a group holds in memory.
constexpr std::int64_t most_in_group = 256;

}  // namespace

/// Device memory for NCCL: from the driver, or from NCCL, to be registered with a communicator, which then
/// needs no copy of its own.
class NcclMemory {
 public:
  /// `bytes` > 0. `calls` must outlive it. Throws core::Error (cuda, nccl).
  NcclMemory(const nccl::Calls& calls, std::shared_ptr<Accelerator> accelerator, std::size_t bytes,
             bool from_nccl);
  ~NcclMemory();
  NcclMemory(const NcclMemory&) = delete;
  NcclMemory& operator=(const NcclMemory&) = delete;

  std::byte* data() const { return data_; }
  std::size_t size() const { return bytes_; }

 private:
  const nccl::Calls& calls_;
  std::shared_ptr<Accelerator> accelerator_;
  std::size_t bytes_;
  bool from_nccl_;
  std::byte* data_ = nullptr;
};

/// Both must outlive it.
class Registration {
 public:
  Registration(const nccl::Calls& calls, Communicator& communicator, const NcclMemory& memory);
  ~Registration();
  Registration(const Registration&) = delete;
  Registration& operator=(const Registration&) = delete;

 private:
  const nccl::Calls& calls_;
  Communicator& communicator_;
  void* handle_ = nullptr;
};

NcclMemory::NcclMemory(const nccl::Calls& calls, std::shared_ptr<Accelerator> accelerator, std::size_t bytes,
                       bool from_nccl)
    : calls_(calls), accelerator_(std::move(accelerator)), bytes_(bytes), from_nccl_(from_nccl) {
  if (!from_nccl_) {
    data_ = accelerator_->allocate(bytes);
    return;
  }
  void* memory = nullptr;
  nccl::check(calls_, calls_.mem_alloc(&memory, bytes), "ncclMemAlloc");
  data_ = static_cast<std::byte*>(memory);
}

NcclMemory::~NcclMemory() {
  if (!from_nccl_)
    accelerator_->free(data_);
  else if (!cuda::context_is_lost())
    static_cast<void>(calls_.mem_free(data_));
}

Registration::Registration(const nccl::Calls& calls, Communicator& communicator, const NcclMemory& memory)
    : calls_(calls), communicator_(communicator) {
  communicator_.check(calls_.comm_register(communicator_.get(), memory.data(), memory.size(), &handle_),
                      "ncclCommRegister");
}

Registration::~Registration() {
  // An aborted communicator forgets what was registered with it.
  if (!communicator_.is_broken() && !cuda::context_is_lost())
    static_cast<void>(calls_.comm_deregister(communicator_.get(), handle_));
}

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
  const std::int64_t element = bytes_of(content.type);
  if (problem.in_place) {
    std::byte* const both = add_memory(shape.together * element);
    input_ = both + shape.input_at * element;
    output_ = both + shape.output_at * element;
  } else {
    input_ = add_memory(shape.input * element);
    output_ = add_memory(shape.output * element);
  }
  if (!way_.registered) return;
  for (const auto& memory : memory_)
    registrations_.push_back(std::make_unique<Registration>(*made_.calls, *made_.communicator, *memory));
}

/// Never none: a barrier needs an element, and NCCL takes no null.
std::byte* NcclRunner::add_memory(std::int64_t bytes) {
  const auto size = static_cast<std::size_t>(std::max<std::int64_t>(bytes, sizeof(std::int64_t)));
  memory_.push_back(std::make_unique<NcclMemory>(*made_.calls, made_.accelerator, size, way_.registered));
  return memory_.back()->data();
}

void NcclRunner::enqueue() { operation_->enqueue(input_, output_, made_.accelerator->stream()); }

void NcclRunner::wait() {
  made_.communicator->wait_until([&] { return made_.accelerator->is_idle(); }, operation_->function());
}

void NcclRunner::connect() {
  if (made_.ran) made_.ran->forget();  // the point before
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
  std::vector<core::Fact> facts{{"nccl_function", operation_->function()}};
  if (way_.launch == Launch::group) facts.emplace_back("iterations_in_group_at_most", most_in_group);
  for (core::Fact& fact : operation_->facts()) facts.push_back(std::move(fact));
  if (made_.algorithm == nullptr) add_what_ran(facts);
  return facts;
}

}  // namespace assay::collectives
