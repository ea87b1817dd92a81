// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// How a test starts mpirun: on loopback, also as root, several tests at once.
#pragma once

#include <string>

#include "harness/core/tests/temporary_folder.hpp"

namespace assay::core::tests {

/// Words before a command that starts mpirun. Leaks of MPI's own are not ours to report. Open MPI's launchers
/// of one TMPDIR may collide at their start.
inline std::string mpi_environment() {
  static const TemporaryFolder folder;
  return "TMPDIR=" + folder.path().string() +
         " ASAN_OPTIONS=detect_leaks=0 OMPI_MCA_btl=tcp,self OMPI_MCA_btl_tcp_if_include=lo "
         "OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 timeout -k 2 100 ";
}

/// More ranks than processors.
inline std::string mpirun_command(int ranks) {
  return mpi_environment() + "mpirun --oversubscribe -n " + std::to_string(ranks) + " ";
}

}  // namespace assay::core::tests
