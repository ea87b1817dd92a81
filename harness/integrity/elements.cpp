// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "harness/integrity/elements.hpp"

#include <cassert>
#include <cstring>

namespace assay::integrity {

std::uint64_t Elements::bits(std::uint64_t position) const {
  std::uint64_t read = 0;  // little-endian: the low bytes
  std::memcpy(&read, data + position * width, width);
  return read;
}

void Elements::set(std::uint64_t position, std::uint64_t bits) const {
  std::memcpy(data + position * width, &bits, width);
}

void compare(const Elements& expected, const Elements& got, MismatchLog& log) {
  assert(expected.count() == got.count() && expected.width == got.width);
  if (std::memcmp(expected.data, got.data, got.count() * got.width) == 0) return;
  for (std::uint64_t at = 0; at < got.count(); ++at)
    if (const std::uint64_t wanted = expected.bits(at), read = got.bits(at); wanted != read)
      note(log, at, wanted, read);
}

}  // namespace assay::integrity
