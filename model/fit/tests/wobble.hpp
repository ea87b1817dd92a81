// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace assay::model::fit::tests {

/// A percent up and down in turns, so that intervals have a width.
inline double wobble(int i) { return i % 2 == 0 ? 1.01 : 0.99; }

}  // namespace assay::model::fit::tests
