// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Neighbours as lldpcli of lldpd 1.0 prints them: show neighbors and show chassis, -f json, json0 or
// keyvalue.
#pragma once

#include <string>
#include <string_view>

#include "model/fabric/site/lldp/lldp_rows.hpp"
#include "model/fabric/site/lldp/lldpcli_system.hpp"

namespace assay::model::fabric::site {

/// Whether it begins as such output does.
bool is_lldpcli(std::string_view text);

/// Adds one or several outputs after one another. Throws a usage Error that opens with `file`.
void add_lldpcli(LldpcliSystem& system, const std::string& text, const std::string& file);

/// Adds the rows of a system that is called `name` where it does not say its name itself.
void add_system(LldpLists& lists, const LldpcliSystem& system, const std::string& name);

/// "100GbaseCR4 - ..." as 100, "10GigBaseLR" as 10, "1000BaseTFD" as 1; 0 for other text (the MAU
/// types of RFC 4836).
double gbit_of_mau(std::string_view type);

}  // namespace assay::model::fabric::site
