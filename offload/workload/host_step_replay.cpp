// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "offload/workload/host_step_replay.hpp"

#include <algorithm>
#include <cstring>
#include <exception>
#include <thread>

#include "offload/pipeline/copier.hpp"

namespace assay::offload {
namespace {

/// Traffic of a step that one thread copies.
class StepTraffic : public HostTraffic {
 public:
  StepTraffic(const training::HostStep& step, const StepLayout& layout, std::byte* near, std::byte* far,
              StepProgress& progress)
      : step_(step), layout_(layout), near_(near), far_(far), progress_(progress) {}

  std::optional<Transfer> next(Direction direction) override {
    const std::optional<std::size_t> at = progress_.next(direction);
    if (!at) return std::nullopt;
    const StepLayout::Place& place = layout_.place(*at);
    std::byte* const from = direction == Direction::out ? near_ : far_;
    std::byte* const to = direction == Direction::out ? far_ : near_;
    return Transfer{.from = from + place.from, .to = to + place.to, .bytes = step_.transfers[*at].bytes};
  }
  void ended(Direction direction) override { progress_.ended(direction); }
  bool over() const override { return progress_.over(Direction::in) && progress_.over(Direction::out); }

 private:
  const training::HostStep& step_;
  const StepLayout& layout_;
  std::byte* near_;
  std::byte* far_;
  StepProgress& progress_;
};

host::Arena array_of(std::int64_t bytes) {
  return {static_cast<std::size_t>(std::max<std::int64_t>(bytes, 1)), -1, host::Pages::transparent};
}

}  // namespace

HostStepReplay::HostStepReplay(const training::HostStep& step, double cap_gb_per_s)
    : step_(step),
      cap_gb_per_s_(cap_gb_per_s),
      layout_(step),
      near_(array_of(layout_.near_bytes())),
      far_(array_of(layout_.far_bytes())) {
  layout_.fill(near_.as<std::byte>(), far_.as<std::byte>());
}

HostStepTimes HostStepReplay::run() {
  for (std::size_t at = 0; at < step_.transfers.size(); ++at) {
    const training::HostTransfer& one = step_.transfers[at];
    std::byte* const memory = one.to_host ? far_.data() : near_.data();
    std::memset(memory + layout_.place(at).to, 0xee, static_cast<std::size_t>(one.bytes));
  }
  StepProgress progress(step_);
  StepTraffic traffic(step_, layout_, near_.data(), far_.data(), progress);
  std::exception_ptr failure;
  std::thread engine([&] {
    try {
      copy_until_over(traffic, cap_gb_per_s_);
    } catch (...) {
      failure = std::current_exception();
      progress.fail();
    }
  });
  const HostStepTimes times = progress.run();
  engine.join();
  if (failure) std::rethrow_exception(failure);
  return times;
}

}  // namespace assay::offload
