// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Properties of the terminal that a program writes to.
#pragma once

#include <cstddef>

namespace assay::core {

/// Its width; 0: unknown, or no terminal.
std::size_t terminal_columns(int descriptor);

/// TERM says that it knows no escape sequences, or nothing.
bool terminal_is_dumb();

/// The environment refuses colours by NO_COLOR (no-color.org).
bool colours_are_refused();

}  // namespace assay::core
