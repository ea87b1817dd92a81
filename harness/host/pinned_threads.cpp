// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "harness/host/pinned_threads.hpp"

#include <fmt/format.h>
#include <immintrin.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <chrono>
#include <cstdint>
#include <cstring>
#include <exception>
#include <string>
#include <thread>
#include <utility>

#include "harness/core/error.hpp"
#include "harness/host/topology.hpp"

namespace assay::host {
namespace {

using SteadyTime = std::chrono::steady_clock::time_point;
using Word = std::atomic<std::uint32_t>;

// One pause is 40 to 140 cycles: some 50 us of spinning, longer than the gap between two samples.
constexpr int spins_before_parking = 2000;

void bind_this_thread(hwloc_const_bitmap_t cpus, const std::string& whom) {
  if (hwloc_set_cpubind(topology().hwloc.get(), cpus, HWLOC_CPUBIND_THREAD) == 0) return;
  const int code = errno;
  throw core::Error(core::ErrorKind::system, fmt::format("bind {}: {}", whom, std::strerror(code)), code);
}

void bind_this_thread(int cpu) {
  if (cpu < 0) core::usage_error(fmt::format("bind a thread to CPU {}: expected a CPU number", cpu));
  const Bitmap one(hwloc_bitmap_alloc());
  hwloc_bitmap_only(one.get(), static_cast<unsigned>(cpu));
  bind_this_thread(one.get(), fmt::format("a thread to CPU {}", cpu));
}

/// Spins while the change is near, then parks in the kernel: an idle crew leaves its CPUs to others.
void wait_while(const Word& word, std::uint32_t old) {
  for (int spin = 0; spin < spins_before_parking; ++spin) {
    if (word.load(std::memory_order_acquire) != old) return;
    _mm_pause();
  }
  word.wait(old, std::memory_order_acquire);
}

void wait_until(const Word& word, std::uint32_t wanted) {
  for (std::uint32_t now = word.load(std::memory_order_acquire); now != wanted;
       now = word.load(std::memory_order_acquire))
    wait_while(word, now);
}

/// Never parks: a wake-up would be inside the time. Yields, for when another thread needs this CPU to get
/// here.
void spin_until(const Word& word, std::uint32_t wanted) {
  for (int spin = 1; word.load(std::memory_order_acquire) != wanted; ++spin) {
    _mm_pause();
    if (spin % spins_before_parking == 0) std::this_thread::yield();
  }
}

void arrive(Word& word) {
  word.fetch_add(1, std::memory_order_acq_rel);
  word.notify_one();
}

}  // namespace

struct PinnedThreads::Crew {
  struct alignas(64) Slot {
    int cpu = 0;
    SteadyTime end;
    std::exception_ptr error;
  };

  std::vector<Slot> slots;
  std::vector<std::thread> workers;
  Bitmap callers_binding{hwloc_bitmap_alloc()};
  const std::function<void(int)>* body = nullptr;
  bool stop = false;

  // Each on its own line: the waiting side polls it while the others write theirs.
  alignas(64) Word generation{0};  // a new value calls the workers
  alignas(64) Word ready{0};       // workers that wait for the edge
  alignas(64) Word edge{0};        // equals generation once the work may start
  alignas(64) Word done{0};        // workers that have ended

  explicit Crew(const std::vector<int>& cpus) : slots(cpus.size()) {
    for (std::size_t i = 0; i < cpus.size(); ++i) slots[i].cpu = cpus[i];
  }

  ~Crew() {
    stop = true;
    call_workers();
    for (std::thread& worker : workers) worker.join();
    if (!hwloc_bitmap_iszero(callers_binding.get()))
      hwloc_set_cpubind(topology().hwloc.get(), callers_binding.get(), HWLOC_CPUBIND_THREAD);
  }

  std::uint32_t worker_count() const { return static_cast<std::uint32_t>(workers.size()); }

  void call_workers() {
    generation.fetch_add(1, std::memory_order_acq_rel);
    generation.notify_all();
  }

  void start() {
    hwloc_get_cpubind(topology().hwloc.get(), callers_binding.get(), HWLOC_CPUBIND_THREAD);
    for (std::size_t rank = 1; rank < slots.size(); ++rank)
      workers.emplace_back([this, rank] { serve(rank); });
    bind_this_thread(slots.front().cpu);
    wait_until(ready, worker_count());
    rethrow_first_error();
  }

  void serve(std::size_t rank) {
    capture(rank, [&] { bind_this_thread(slots[rank].cpu); });
    arrive(ready);
    for (std::uint32_t served = 0;;) {
      wait_while(generation, served);
      ++served;
      if (stop) return;
      arrive(ready);
      spin_until(edge, served);
      work(rank);
      arrive(done);
    }
  }

  void work(std::size_t rank) {
    capture(rank, [&] { (*body)(static_cast<int>(rank)); });
    slots[rank].end = std::chrono::steady_clock::now();
  }

  template <class Action>
  void capture(std::size_t rank, const Action& action) {
    try {
      action();
    } catch (...) {
      slots[rank].error = std::current_exception();
    }
  }

  void rethrow_first_error() {
    for (Slot& slot : slots)
      if (const std::exception_ptr error = std::exchange(slot.error, nullptr)) std::rethrow_exception(error);
  }
};

PinnedThreads::PinnedThreads(const std::vector<int>& cpus) {
  if (cpus.empty()) core::usage_error("a crew of threads needs at least one CPU");
  crew_ = std::make_unique<Crew>(cpus);
  crew_->start();
}

PinnedThreads::~PinnedThreads() = default;

int PinnedThreads::size() const { return static_cast<int>(crew_->slots.size()); }

double PinnedThreads::run(const std::function<void(int rank)>& body) {
  Crew& crew = *crew_;
  crew.body = &body;
  crew.ready.store(0, std::memory_order_relaxed);
  crew.done.store(0, std::memory_order_relaxed);
  crew.call_workers();
  wait_until(crew.ready, crew.worker_count());

  const SteadyTime start = std::chrono::steady_clock::now();
  crew.edge.store(crew.generation.load(std::memory_order_relaxed), std::memory_order_release);
  crew.work(0);
  wait_until(crew.done, crew.worker_count());
  crew.rethrow_first_error();

  SteadyTime slowest = start;
  for (const Crew::Slot& slot : crew.slots) slowest = std::max(slowest, slot.end);
  return std::chrono::duration<double>(slowest - start).count();
}

}  // namespace assay::host
