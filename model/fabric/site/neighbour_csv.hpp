// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Neighbours as switches learn them by LLDP (IEEE 802.1AB), in a CSV file: system, port, neighbour,
// neighbour_port, and gbit_per_s and capabilities of the neighbour where known.
#pragma once

#include "model/fabric/site/port_choice.hpp"
#include "model/fit/rows/csv_table.hpp"

namespace assay::model::fabric::site {

/// Reads a site from LLDP neighbours. Systems in the column `system` are switches; of other neighbours
/// capabilities or names of ports decide (lldp_kinds.hpp). Throws a usage Error with file and line, as
/// lldp_fabric() does.
SiteFabric read_neighbours(const fit::CsvSource& source, LinkSpeed speed = {}, const ChoosePort& choose = {});

}  // namespace assay::model::fabric::site
