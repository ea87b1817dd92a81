// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// A command, for tests: what it printed and how it ended.
#pragma once

#include <sys/wait.h>

#include <array>
#include <cstdio>
#include <string>

namespace assay::collectives {

struct Ended {
  int exit_code = -1;
  std::string output;  // and errors
};

inline Ended run_command(const std::string& command) {
  FILE* pipe = popen(("exec 2>&1; " + command).c_str(), "r");
  Ended ended;
  std::array<char, 4096> bytes;
  while (const std::size_t count = std::fread(bytes.data(), 1, bytes.size(), pipe))
    ended.output.append(bytes.data(), count);
  const int status = pclose(pipe);
  if (WIFEXITED(status)) ended.exit_code = WEXITSTATUS(status);
  return ended;
}

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
