// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// A command, for tests: what it printed and how it ended.
#pragma once

#include <sys/wait.h>

#include <array>
#include <cstdio>
#include <string>

namespace assay::core::tests {

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

}  // namespace assay::core::tests
