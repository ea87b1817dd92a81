// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// The plug-in libnccl-profiler-assay.so: NCCL loads it and tells it of each collective, send and receive that
// it launches; it keeps the latest ones. It asks for nothing that costs a kernel or a proxy thread time.
#include <algorithm>
#include <mutex>
#include <string_view>

#include "collectives/nccl/profiler_interface.hpp"

#define ASSAY_VISIBLE __attribute__((visibility("default")))

namespace assay::collectives {
namespace {

/// The latest calls of the process. NCCL tells of them on threads of the caller's and, of captured graphs, of
/// CUDA's.
class Tellings {
 public:
  void add(const ToldCall& call) {
    const std::lock_guard lock(mutex_);
    calls_[told_++ % calls_.size()] = call;
  }
  std::uint64_t told() {
    const std::lock_guard lock(mutex_);
    return told_;
  }
  bool read(std::uint64_t number, ToldCall& answer) {
    const std::lock_guard lock(mutex_);
    if (number >= told_ || told_ - number > calls_.size()) return false;
    answer = calls_[number % calls_.size()];
    return true;
  }

 private:
  std::mutex mutex_;
  std::uint64_t told_ = 0;
  std::array<ToldCall, 256> calls_{};
};

Tellings& tellings() {
  static Tellings all;
  return all;
}

template <std::size_t n>
void keep(std::array<char, n>& place, const char* text) {
  const std::string_view words = text == nullptr ? "" : text;
  place.fill('\0');
  std::copy_n(words.begin(), std::min(words.size(), n - 1), place.begin());
}

void tell(int rank, const NcclCollective& collective) {
  ToldCall call{.communicator = collective.communicator,
                .sequence = collective.sequence,
                .count = collective.count,
                .rank = rank,
                .channels = collective.channels,
                .function = {},
                .algorithm = {},
                .data_type = {},
                .protocol = {}};
  keep(call.function, collective.function);
  keep(call.algorithm, collective.algorithm);
  keep(call.data_type, collective.data_type);
  keep(call.protocol, collective.protocol);
  tellings().add(call);
}

void tell(int rank, const NcclPointToPoint& message) {
  ToldCall call{};
  call.communicator = message.communicator;
  call.count = message.count;
  call.rank = rank;
  keep(call.function, message.function);
  keep(call.data_type, message.data_type);
  tellings().add(call);
}

// NCCL 2.26 and 2.27 tell of a collective only where its group and its communicator have handles that are not
// null.
int handle_of_everything = 0;

int init(void** context, int* mask) {
  *context = &handle_of_everything;
  *mask = nccl_event_group | nccl_event_collective | nccl_event_point_to_point;
  return 0;
}

int start_event(void*, void** handle, NcclEvent* event) {
  *handle = &handle_of_everything;
  switch (event->kind) {
    case nccl_event_group:
      break;
    case nccl_event_collective:
      tell(event->rank, event->collective);
      break;
    case nccl_event_point_to_point:
      tell(event->rank, event->point_to_point);
      break;
    default:
      *handle = nullptr;
  }
  return 0;
}

int stop_event(void*) { return 0; }
int record_event_state(void*, int, void*) { return 0; }
int finalize(void*) { return 0; }

}  // namespace
}  // namespace assay::collectives

extern "C" {

extern ASSAY_VISIBLE const assay::collectives::NcclProfiler ncclProfiler_v3;  // NOLINT: NCCL's name
const assay::collectives::NcclProfiler ncclProfiler_v3{                       // NOLINT
                                                       "assay",
                                                       assay::collectives::init,
                                                       assay::collectives::start_event,
                                                       assay::collectives::stop_event,
                                                       assay::collectives::record_event_state,
                                                       assay::collectives::finalize};

ASSAY_VISIBLE const assay::collectives::ProfilerCalls* assay_profiler_calls() {
  using namespace assay::collectives;
  static const ProfilerCalls calls{
      profiler_calls_revision, [] { return tellings().told(); },
      [](std::uint64_t number, ToldCall* answer) { return tellings().read(number, *answer); }};
  return &calls;
}

}  // extern "C"
