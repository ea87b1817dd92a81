// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Neighbours as switches learn them by LLDP (IEEE 802.1AB), in a CSV file: system, port, neighbour,
// neighbour_port, and gbit_per_s where known.
#pragma once

#include "model/fabric/site/site_fabric.hpp"
#include "model/fit/csv_table.hpp"

namespace assay::model::fabric::site {

/// What is in the column `system` is a switch, every other neighbour a host with an adapter port each. A
/// cable between switches may be listed by one end or both. Throws a usage Error with file, line and column.
SiteFabric read_neighbours(const fit::CsvSource& source, LinkSpeed speed = {});

}  // namespace assay::model::fabric::site
