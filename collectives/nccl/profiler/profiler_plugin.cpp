// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// The plug-in libnccl-profiler-assay.so: NCCL loads it and reports to it each collective, send and receive
// that it launches; it keeps the latest ones. It asks for nothing that costs a kernel or a proxy thread time.
#include <algorithm>
#include <mutex>
#include <string_view>

#include "collectives/nccl/profiler/profiler_interface.hpp"

#define ASSAY_VISIBLE __attribute__((visibility("default")))

namespace assay::collectives {
namespace {

/// The latest calls of the process. NCCL reports them on threads of the caller's and, of captured graphs, of
/// CUDA's.
class ReportedCalls {
 public:
  void add(const ReportedCall& call) {
    const std::lock_guard lock(mutex_);
    calls_[reported_++ % calls_.size()] = call;
  }
  std::uint64_t reported() {
    const std::lock_guard lock(mutex_);
    return reported_;
  }
  bool read(std::uint64_t number, ReportedCall& answer) {
    const std::lock_guard lock(mutex_);
    if (number >= reported_ || reported_ - number > calls_.size()) return false;
    answer = calls_[number % calls_.size()];
    return true;
  }

 private:
  std::mutex mutex_;
  std::uint64_t reported_ = 0;
  std::array<ReportedCall, 256> calls_{};
};

ReportedCalls& reported_calls() {
  static ReportedCalls all;
  return all;
}

template <std::size_t n>
void keep(std::array<char, n>& place, const char* text) {
  const std::string_view words = text == nullptr ? "" : text;
  place.fill('\0');
  std::copy_n(words.begin(), std::min(words.size(), n - 1), place.begin());
}

void keep(int rank, const NcclCollective& collective) {
  ReportedCall call{.communicator = collective.communicator,
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
  reported_calls().add(call);
}

void keep(int rank, const NcclPointToPoint& message) {
  ReportedCall call{};
  call.communicator = message.communicator;
  call.count = message.count;
  call.rank = rank;
  keep(call.function, message.function);
  keep(call.data_type, message.data_type);
  reported_calls().add(call);
}

// NCCL 2.26 and 2.27 report a collective only where its group and its communicator have handles that are not
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
      keep(event->rank, event->collective);
      break;
    case nccl_event_point_to_point:
      keep(event->rank, event->point_to_point);
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
      profiler_calls_revision, [] { return reported_calls().reported(); },
      [](std::uint64_t number, ReportedCall* answer) { return reported_calls().read(number, *answer); }};
  return &calls;
}

}  // extern "C"
