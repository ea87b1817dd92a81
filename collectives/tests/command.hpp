// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Commands of this module's tests.
#pragma once

#include "harness/core/tests/mpirun_command.hpp"
#include "harness/core/tests/run_command.hpp"

namespace assay::collectives {

using core::tests::Ended;
using core::tests::mpi_environment;
using core::tests::mpirun_command;
using core::tests::run_command;

}  // namespace assay::collectives
