// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// The collectives that NCCL ran, read from our profiler plug-in, which NCCL and this program hold loaded
// together.
#pragma once

#include <filesystem>
#include <memory>
#include <string>

#include "collectives/nccl/ran_collective.hpp"

namespace assay::collectives {

/// libnccl-profiler-assay.so in lib/assay next to the folder of the running program.
std::filesystem::path profiler_path();

/// Names the plug-in to NCCL (NCCL_PROFILER_PLUGIN) and opens it. Null where it cannot report, as when the
/// user named another plug-in, which is left to him; `why` then says so in one line. To be called before the
/// process makes its first communicator, and while no other thread reads the environment.
std::unique_ptr<RanSource> open_profiler(std::string* why = nullptr);
std::unique_ptr<RanSource> open_profiler(const std::filesystem::path& plugin, std::string* why = nullptr);

}  // namespace assay::collectives
