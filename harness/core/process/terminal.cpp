// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "harness/core/process/terminal.hpp"

#include <sys/ioctl.h>

#include <cstdlib>
#include <string_view>

namespace assay::core {

std::size_t terminal_columns(int descriptor) {
  winsize size{};
  return ioctl(descriptor, TIOCGWINSZ, &size) == 0 ? size.ws_col : 0;  // fails on all but terminals
}

bool terminal_is_dumb() {
  const char* const kind = std::getenv("TERM");
  return kind == nullptr || *kind == '\0' || std::string_view(kind) == "dumb";
}

bool colours_are_refused() {
  const char* const refused = std::getenv("NO_COLOR");
  return refused != nullptr && *refused != '\0';
}

}  // namespace assay::core
