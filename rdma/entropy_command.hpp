// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// `assay-rdma entropy`: path entropy from the command line, without a device.
#pragma once

namespace assay::rdma {

/// argv[0] is the command's own name. Prints to standard output, one line to standard error on bad input.
/// Returns an exit code of the project: 0, or 2 for usage.
int entropy_command(int argc, char** argv);

}  // namespace assay::rdma
