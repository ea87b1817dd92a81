// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Linked where this build has no MPI.
#include "collectives/mpi/mpi_transport.hpp"

namespace assay::collectives {

std::optional<std::string> mpi_not_built() { return "MPI"; }

}  // namespace assay::collectives
