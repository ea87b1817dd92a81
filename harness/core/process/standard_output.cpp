// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "harness/core/process/standard_output.hpp"

#include <fmt/format.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <iostream>

#include "harness/core/process/exit_code.hpp"

namespace assay::core {

int exit_code_once_written(const std::string& program, int exit_code) {
  errno = 0;
  std::cout.flush();
  const bool flushed = std::fflush(stdout) == 0;
  const int why = errno;
  if (flushed && std::cout && std::ferror(stdout) == 0) return exit_code;
  std::cerr << fmt::format("{}: standard output could not be written{}: what was printed is not complete\n",
                           program, why == 0 ? "" : fmt::format(" ({})", std::strerror(why)));
  return exit_code == core::exit_code::pass ? core::exit_code::inconclusive : exit_code;
}

}  // namespace assay::core
