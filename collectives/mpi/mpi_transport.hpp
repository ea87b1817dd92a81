// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Ranks that MPI started: assay's algorithms over its point to point, on host memory.
#pragma once

#include <atomic>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "collectives/mpi/mpi_data_calls.hpp"
#include "collectives/transport/transport.hpp"

namespace assay::collectives {

/// The component that this build lacks; nothing where it has the plug-ins.
std::optional<std::string> mpi_not_built();

/// In the folder of the team's plug-in.
std::filesystem::path mpi_data_plugin_path();

/// Whether MPI carries this process's team: it then forms no second one.
bool mpi_runs_here();

/// The plug-in's calls where MPI runs in this process already (its team is MPI's); nullptr where it does not.
/// Throws core::Error (usage) with one line where the plug-in is missing or of another build.
const MpiDataCalls* mpi_data_calls(const std::filesystem::path& plugin = mpi_data_plugin_path());

/// Throws core::Error (mpi) with MPI's own words where `code` is one of an error.
void check_mpi(const MpiDataCalls& calls, int code, const std::string& what);

inline constexpr int all_of_mpi = -1;

/// A communicator of some ranks, for MPI's own collectives: every rank calls it, for every group in the same
/// order. Returns `group`, which opens again what had that number.
int open_mpi_group(const MpiDataCalls& calls, int group, const std::vector<int>& members);

/// Over a communicator of its own: every rank of MPI's world calls it. `limit_s` bounds a wait(), which then
/// throws core::Error (team) naming the rank; so it does once `given_up` is true, which must outlive it. What
/// it waited for cannot be taken back: the process is done.
std::unique_ptr<Transport> make_mpi_transport(const MpiDataCalls& calls, double limit_s,
                                              const std::atomic<bool>& given_up = never_given_up);

}  // namespace assay::collectives
