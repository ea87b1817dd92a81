// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// NCCL's side of a profiler plug-in, for tests: loads it, finds it by its symbol, tells it of what runs.
#pragma once

#include <dlfcn.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <filesystem>

#include "collectives/nccl/profiler/profiler_interface.hpp"
#include "collectives/nccl/profiler/profiler_reader.hpp"

namespace assay::collectives {

/// NCCL's side: what it does with a plug-in for one process.
class Nccl {
 public:
  explicit Nccl(const std::filesystem::path& plugin = profiler_path())
      : library_(dlopen(plugin.c_str(), RTLD_NOW | RTLD_LOCAL)) {
    if (library_ != nullptr) profiler_ = static_cast<const NcclProfiler*>(dlsym(library_, profiler_symbol));
  }
  ~Nccl() {
    if (library_ != nullptr) dlclose(library_);
  }
  Nccl(const Nccl&) = delete;
  Nccl& operator=(const Nccl&) = delete;

  bool loaded() const { return profiler_ != nullptr; }
  void* symbol(const char* name) const { return dlsym(library_, name); }
  const NcclProfiler& profiler() const { return *profiler_; }

 private:
  void* library_;
  const NcclProfiler* profiler_ = nullptr;
};

/// A communicator of one rank's, from its making to its end.
class Communicator {
 public:
  Communicator(const Nccl& nccl, int rank) : profiler_(nccl.profiler()), rank_(rank) {
    EXPECT_EQ(profiler_.init(&context_, &mask_), 0);
  }
  ~Communicator() { EXPECT_EQ(profiler_.finalize(context_), 0); }
  Communicator(const Communicator&) = delete;
  Communicator& operator=(const Communicator&) = delete;

  int mask() const { return mask_; }
  void* context() const { return context_; }
  /// Runs the event to its end and returns the handle that the plug-in gave it.
  void* run(NcclEvent event) {
    void* handle = nullptr;
    event.rank = rank_;
    EXPECT_EQ(profiler_.start_event(context_, &handle, &event), 0);
    if (handle != nullptr) {
      EXPECT_EQ(profiler_.stop_event(handle), 0);
    }
    return handle;
  }
  void run(const char* function, const char* algorithm, const char* protocol, std::uint8_t channels) {
    NcclEvent event{};
    event.kind = nccl_event_collective;
    event.collective = {.communicator_name = nullptr,
                        .communicator = 0,
                        .sequence = sequence_++,
                        .function = function,
                        .send = nullptr,
                        .receive = nullptr,
                        .count = 1024,
                        .root = 0,
                        .data_type = "ncclFloat32",
                        .channels = channels,
                        .warps = 16,
                        .algorithm = algorithm,
                        .protocol = protocol};
    run(event);
  }

 private:
  const NcclProfiler& profiler_;
  int rank_, mask_ = 0;
  void* context_ = nullptr;
  std::uint64_t sequence_ = 0;
};

}  // namespace assay::collectives
