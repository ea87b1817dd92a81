// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// What is known of the terminal that a program writes to.
#pragma once

#include <cstddef>

namespace assay::core {

/// Its width; 0: unknown, or no terminal.
std::size_t terminal_columns(int descriptor);

/// The environment refuses colours by NO_COLOR (no-color.org).
bool colours_are_refused();

}  // namespace assay::core
