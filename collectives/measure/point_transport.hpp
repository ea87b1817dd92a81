// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// How the ranks of a point reach each other's host memory, under the watch.
#pragma once

#include <memory>
#include <string>

#include "collectives/measure/collective_settings.hpp"
#include "collectives/mpi/mpi_transport.hpp"
#include "collectives/transport/transport.hpp"

namespace assay::collectives {

struct PointTransport {
  std::unique_ptr<Transport> transport;
  std::string name;
};

/// Every rank calls it: opens its post, then connects to all. MPI's point to point where `mpi` is not null,
/// from the thread that started MPI alone; else sockets, whose transport any one thread at a time may use.
PointTransport connect(const CaseMaker& maker, const MpiDataCalls* mpi);

}  // namespace assay::collectives
