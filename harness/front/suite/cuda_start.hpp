// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// The CUDA driver for modules that are about to start: where it is too old for their CUDA, the site's
// forward-compatibility libraries, or one sentence that says so.
#pragma once

#include <iosfwd>

namespace assay::suite {

/// Puts the folder of cuda-compat, where the driver is too old and there is one, before the others of
/// LD_LIBRARY_PATH, which modules inherit and write into their records; `out` takes a line about it. Without
/// it standard error says what is too old and the ways out.
void prepare_cuda_start(std::ostream& out);

}  // namespace assay::suite
