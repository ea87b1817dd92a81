// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Commands of this module's tests, and how they start mpirun.
#pragma once

#include <string>

#include "harness/core/tests/run_command.hpp"

namespace assay::collectives {

using core::tests::Ended;
using core::tests::run_command;

/// On loopback, as root. Leaks of MPI's own are not ours to report.
inline std::string mpi_environment() {
  return "ASAN_OPTIONS=detect_leaks=0 OMPI_MCA_btl=tcp,self OMPI_MCA_btl_tcp_if_include=lo "
         "OMPI_ALLOW_RUN_AS_ROOT=1 "
         "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 timeout -k 2 100 ";
}

/// More ranks than processors.
inline std::string mpirun_command(int ranks) {
  return mpi_environment() + "mpirun --oversubscribe -n " + std::to_string(ranks) + " ";
}

}  // namespace assay::collectives
