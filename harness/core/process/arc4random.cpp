// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// The function that libstdc++ uses from glibc since 2.36, for its random_device. Programs bring it along, so
// that packages start with glibc 2.34 (scripts/packaging/loosen-glibc).
#include <sys/random.h>

#include <cerrno>
#include <cstdint>
#include <cstdlib>

extern "C" std::uint32_t arc4random() {
  std::uint32_t value = 0;
  while (getrandom(&value, sizeof value, 0) != static_cast<ssize_t>(sizeof value))
    if (errno != EINTR) std::abort();
  return value;
}
