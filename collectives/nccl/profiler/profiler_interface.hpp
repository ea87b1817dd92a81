// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// The interfaces between NCCL, our profiler plug-in, and the module that reads it. Names within follow us,
// layouts NCCL's plug-in interface, version 3: NCCL 2.26 looks for it itself, 2.27 to 2.30 after their own
// newer ones, translating.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

namespace assay::collectives {

inline constexpr const char* profiler_file = "libnccl-profiler-assay.so";
inline constexpr const char* profiler_symbol = "ncclProfiler_v3";  // as NCCL looks it up

// Bits of the mask that a plug-in answers with, and of an event's kind.
inline constexpr int nccl_event_group = 1;
inline constexpr int nccl_event_collective = 2;
inline constexpr int nccl_event_point_to_point = 4;

struct NcclCollective {
  const char* communicator_name;
  std::uint64_t communicator;
  std::uint64_t sequence;  // of that function in that communicator
  const char* function;    // "AllReduce"
  const void* send;
  void* receive;
  std::size_t count;
  int root;
  const char* data_type;  // "ncclFloat32"
  std::uint8_t channels;  // that it uses; NCCL 2.26: that it may use
  std::uint8_t warps;
  const char* algorithm;  // "RING"
  const char* protocol;   // "SIMPLE"
};

struct NcclPointToPoint {
  const char* communicator_name;
  std::uint64_t communicator;
  const char* function;  // "Send"
  void* buffer;
  const char* data_type;
  std::size_t count;
  int peer;
};

struct NcclEvent {
  std::uint8_t kind;
  void* parent;
  int rank;
  union {
    NcclCollective collective;
    NcclPointToPoint point_to_point;
  };
};

/// Results are NCCL's: 0 is success.
struct NcclProfiler {
  const char* name;
  int (*init)(void** context, int* mask);  // once for each communicator
  int (*start_event)(void* context, void** handle, NcclEvent* event);
  int (*stop_event)(void* handle);
  int (*record_event_state)(void* handle, int state, void* arguments);
  int (*finalize)(void* context);
};

/// One call that NCCL reported, in NCCL's words; text that it lacks is empty, longer text is cut.
struct ReportedCall {
  std::uint64_t communicator, sequence, count;  // count: elements, as the caller gave them
  int rank, channels;                           // channels 0: unknown
  std::array<char, 24> function, algorithm, data_type;
  std::array<char, 16> protocol;
};

inline constexpr int profiler_calls_revision = 1;
inline constexpr const char* profiler_calls_symbol = "assay_profiler_calls";

/// The functions that the plug-in offers the program that it is loaded into. Any thread may call.
struct ProfilerCalls {
  int revision;
  std::uint64_t (*reported)();                               // calls reported since the plug-in was loaded
  bool (*read)(std::uint64_t number, ReportedCall* answer);  // from 0; false: not reported yet, or long ago
};
using ProfilerCallsFunction = const ProfilerCalls* (*)();

}  // namespace assay::collectives
