// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "harness/cuda/tests/simulated/thread_block.hpp"

#include <ucontext.h>

#include <algorithm>
#include <array>
#include <csetjmp>
#include <cstddef>
#include <exception>
#include <map>
#include <memory>
#include <stdexcept>
#include <utility>
#include <vector>

// Functions of AddressSanitizer, where it is linked: they report to it which stack is run on
// (sanitizer/common_interface_defs.h).
extern "C" {
[[gnu::weak]] void __sanitizer_start_switch_fiber(void** left, const void* bottom, std::size_t bytes);
[[gnu::weak]] void __sanitizer_finish_switch_fiber(void* entered, const void** bottom, std::size_t* bytes);
}

namespace assay::cuda::simulated {
namespace {

constexpr std::size_t stack_bytes = std::size_t{64} << 10;
constexpr unsigned warp_threads = 32;

enum class WaitsFor { block, warp };

/// A stack as AddressSanitizer knows it.
struct Stack {
  const void* bottom = nullptr;
  std::size_t bytes = 0;
  void* kept = nullptr;  // of a stack that is left, and entered again

  void announce(Stack* left) const {
    if (__sanitizer_start_switch_fiber != nullptr)
      __sanitizer_start_switch_fiber(left == nullptr ? nullptr : &left->kept, bottom, bytes);
  }
  /// `from`: the stack that was left.
  void entered(Stack& from) const {
    if (__sanitizer_finish_switch_fiber != nullptr)
      __sanitizer_finish_switch_fiber(kept, &from.bottom, &from.bytes);
  }
};

/// A stack of its own, on which threads run one after the other until one has to wait.
struct Fiber {
  std::jmp_buf stopped_at{};
  std::unique_ptr<std::byte[]> memory{new std::byte[stack_bytes]};
  Stack stack{.bottom = memory.get(), .bytes = stack_bytes};
  uint3 thread{};
  WaitsFor waits_for = WaitsFor::block;
  unsigned sums = 0;  // and exchanges in its warp, that this thread has taken part in
};

class ThreadBlock {
 public:
  ThreadBlock(dim3 size, const std::function<void()>& kernel)
      : size_(size), threads_(size.x * size.y * size.z), kernel_(kernel) {}

  void run();
  void wait(WaitsFor what);
  unsigned sum_over_warp(unsigned value);
  float exchange_in_warp(float value, unsigned other);

 private:
  static void enter();
  void run_threads();
  void begin(std::unique_ptr<Fiber> fiber);
  void resume(std::unique_ptr<Fiber> fiber);
  void put_aside();
  void release();
  std::vector<std::unique_ptr<Fiber>> take_releasable();
  unsigned number_of(uint3 thread) const { return thread.x + size_.x * (thread.y + size_.y * thread.z); }
  unsigned warp_of(uint3 thread) const { return number_of(thread) / warp_threads; }

  dim3 size_;
  unsigned threads_, next_ = 0;  // the first thread that has not begun
  const std::function<void()>& kernel_;
  std::jmp_buf main_{};
  Stack main_stack_;
  std::unique_ptr<Fiber> running_;
  bool parked_ = false;  // the running fiber waits: it has not come to its end
  std::vector<std::unique_ptr<Fiber>> waiting_;
  std::map<std::pair<unsigned, unsigned>, unsigned> sums_;  // by warp, and which of its sums
  std::map<std::pair<unsigned, unsigned>, std::array<float, warp_threads>> exchanged_;  // likewise
  std::exception_ptr failure_;
};

thread_local ThreadBlock* current = nullptr;

void ThreadBlock::run() {
  current = this;
  while (next_ < threads_ && !failure_) begin(std::make_unique<Fiber>());
  while (!waiting_.empty() && !failure_) release();
  current = nullptr;
  if (failure_) std::rethrow_exception(failure_);
}

void ThreadBlock::enter() {
  current->running_->stack.entered(current->main_stack_);
  current->run_threads();
  current->main_stack_.announce(nullptr);
  _longjmp(current->main_, 1);
}

/// A new stack takes a context; after that jumps do, which unlike contexts are no system calls.
void ThreadBlock::begin(std::unique_ptr<Fiber> fiber) {
  running_ = std::move(fiber);
  parked_ = false;
  ucontext_t context;
  getcontext(&context);
  context.uc_stack.ss_sp = running_->memory.get();
  context.uc_stack.ss_size = stack_bytes;
  makecontext(&context, &ThreadBlock::enter, 0);
  if (_setjmp(main_) == 0) {
    running_->stack.announce(&main_stack_);
    setcontext(&context);
  }
  put_aside();
}

void ThreadBlock::run_threads() {
  try {
    while (next_ < threads_) {
      const unsigned mine = next_++;
      running_->sums = 0;
      place().thread = {mine % size_.x, mine / size_.x % size_.y, mine / size_.x / size_.y};
      kernel_();
    }
  } catch (...) {
    failure_ = std::current_exception();
  }
}

void ThreadBlock::resume(std::unique_ptr<Fiber> fiber) {
  running_ = std::move(fiber);
  parked_ = false;
  if (_setjmp(main_) == 0) {
    running_->stack.announce(&main_stack_);
    _longjmp(running_->stopped_at, 1);
  }
  put_aside();
}

/// The fiber that has just stopped running.
void ThreadBlock::put_aside() {
  main_stack_.entered(running_->stack);
  if (parked_) waiting_.push_back(std::move(running_));
}

void ThreadBlock::wait(WaitsFor what) {
  running_->thread = place().thread;
  running_->waits_for = what;
  parked_ = true;
  if (_setjmp(running_->stopped_at) == 0) {
    main_stack_.announce(&running_->stack);
    _longjmp(main_, 1);
  }
  running_->stack.entered(main_stack_);
  place().thread = running_->thread;
}

/// Nothing else can run: whole warps go on first, then, where nobody waits for a warp, the block.
std::vector<std::unique_ptr<Fiber>> ThreadBlock::take_releasable() {
  std::map<unsigned, bool> warp_is_whole;
  bool any_warp = false;
  for (const auto& fiber : waiting_) {
    const bool for_warp = fiber->waits_for == WaitsFor::warp;
    any_warp = any_warp || for_warp;
    const auto [at, first] = warp_is_whole.try_emplace(warp_of(fiber->thread), true);
    at->second = at->second && for_warp;
  }
  const auto goes_on = [&](const auto& fiber) {
    return !any_warp || warp_is_whole.at(warp_of(fiber->thread));
  };
  const auto first = std::stable_partition(waiting_.begin(), waiting_.end(),
                                           [&](const auto& fiber) { return !goes_on(fiber); });
  std::vector<std::unique_ptr<Fiber>> released(std::make_move_iterator(first),
                                               std::make_move_iterator(waiting_.end()));
  waiting_.erase(first, waiting_.end());
  return released;
}

void ThreadBlock::release() {
  std::vector<std::unique_ptr<Fiber>> released = take_releasable();
  if (released.empty()) throw std::logic_error("threads of a warp wait for the block, others for the warp");
  for (auto& fiber : released)
    if (!failure_) resume(std::move(fiber));
}

unsigned ThreadBlock::sum_over_warp(unsigned value) {
  unsigned& sum = sums_[{warp_of(place().thread), running_->sums++}];
  sum += value;
  wait(WaitsFor::warp);
  return sum;
}

float ThreadBlock::exchange_in_warp(float value, unsigned other) {
  auto& values = exchanged_[{warp_of(place().thread), running_->sums++}];
  const unsigned mine = number_of(place().thread) % warp_threads;
  values[mine] = value;
  wait(WaitsFor::warp);
  return values[mine ^ other];
}

}  // namespace

Place& place() {
  thread_local Place here;
  return here;
}

void run_block(const std::function<void()>& kernel) { ThreadBlock(place().block_size, kernel).run(); }
void wait_for_block() { current->wait(WaitsFor::block); }
unsigned sum_over_warp(unsigned value) { return current->sum_over_warp(value); }
float exchange_in_warp(float value, unsigned other) { return current->exchange_in_warp(value, other); }

}  // namespace assay::cuda::simulated
