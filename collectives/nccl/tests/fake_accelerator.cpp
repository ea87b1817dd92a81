// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include <cstdlib>
#include <cstring>
#include <utility>

#include "collectives/nccl/tests/fake_parts.hpp"

namespace assay::collectives {
namespace {

class FakeReplay final : public Replay {
 public:
  explicit FakeReplay(std::vector<FakeAccelerator::Work> kept) : kept_(std::move(kept)) {}
  void enqueue() override {
    fake().note("replay");
    for (const FakeAccelerator::Work& work : kept_) work();
  }

 private:
  std::vector<FakeAccelerator::Work> kept_;
};

}  // namespace

void queue_on(cudaStream_t stream, std::function<void()> work) {
  reinterpret_cast<FakeAccelerator*>(stream)->take(std::move(work));
}

cudaStream_t FakeAccelerator::stream() { return reinterpret_cast<cudaStream_t>(this); }

std::byte* FakeAccelerator::allocate(std::size_t bytes) {
  return static_cast<std::byte*>(std::malloc(bytes));
}

void FakeAccelerator::free(std::byte* memory) noexcept { std::free(memory); }

void FakeAccelerator::to_device(std::byte* to, std::span<const std::byte> from) {
  if (!from.empty()) std::memcpy(to, from.data(), from.size());
}

void FakeAccelerator::to_host(std::span<std::byte> to, const std::byte* from) {
  if (!to.empty()) std::memcpy(to.data(), from, to.size());
}

void FakeAccelerator::copy(std::byte* to, const std::byte* from, std::size_t bytes) {
  take([=] { std::memcpy(to, from, bytes); });
}

void FakeAccelerator::reduce(DataType type, Operator reduction, std::byte* into, const std::byte* from,
                             std::int64_t count) {
  take([=] { reduce_into(type, reduction, into, from, count); });
}

void FakeAccelerator::average(DataType type, int ranks, std::byte* into, std::int64_t count) {
  take([=] { collectives::average(type, ranks, into, count); });
}

void FakeAccelerator::begin_keeping() { keeps_ = true; }

std::unique_ptr<Replay> FakeAccelerator::end_keeping() {
  keeps_ = false;
  return std::make_unique<FakeReplay>(std::exchange(kept_, {}));
}

void FakeAccelerator::take(Work work) { keeps_ ? kept_.push_back(std::move(work)) : work(); }

}  // namespace assay::collectives
