// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// A Machine for people, for records and as a picture. The same Machine always gives the same bytes.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "harness/machine/machine.hpp"

namespace assay::machine {

/// For records: keys in a fixed order, each number's unit in its name; unknown values are left
/// out.
nlohmann::ordered_json to_json(const Machine& machine);

/// The text of `assay machine`. Ends with a line feed.
std::string to_text(const Machine& machine);

/// Sockets, NUMA nodes and what hangs below them, drawn with box characters. Ends with a line feed.
std::string topology_text(const Machine& machine);

/// topology_text() as a picture: one self-contained SVG element, in light or dark as its viewer prefers.
std::string topology_svg(const Machine& machine);

}  // namespace assay::machine
