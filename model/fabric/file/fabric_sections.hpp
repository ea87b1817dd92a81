// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// The parts of a fabric file, each read by itself.
#pragma once

#include "harness/core/text/toml_section.hpp"
#include "model/fabric/file/fabric_file.hpp"

namespace assay::model::fabric {

inline constexpr double packet_payload_bytes = 4096;  // of a RoCEv2 packet (topology.hpp)

/// The keys of the preset besides those that every fabric has. Throws for an unknown preset.
std::vector<std::string_view> keys_of_shape(const core::TomlSection& root);
/// Its links have `speed` unless they state another.
FabricShape read_shape(const core::TomlSection& root, LinkSpeed speed);
/// As the shape says, without building it.
std::uint64_t gpus_of(const FabricShape& shape);

void read_link(const core::TomlSection& root, FabricFile& fabric);
void read_server(const core::TomlSection& root, FabricFile& fabric);
void read_switches(const core::TomlSection& root, FabricFile& fabric);
/// [tier.NAME], after link, shape and switches, whose values hold where a tier does not state its own.
void read_tiers(const core::TomlSection& root, FabricFile& fabric);
void read_routing(const core::TomlSection& root, FabricFile& fabric);
/// The forwarding tables of routing.file and [subnet], after shape and routing.
void read_tables(const core::TomlSection& root, FabricFile& fabric);
void read_admission(const core::TomlSection& root, FabricFile& fabric);
/// After link.
void read_rate_control(const core::TomlSection& root, FabricFile& fabric);
void read_measured(const core::TomlSection& root, FabricFile& fabric);
void read_faults(const core::TomlSection& root, FabricFile& fabric);
/// host.addresses, after shape and routing.
void read_addresses(const core::TomlSection& root, FabricFile& fabric);

}  // namespace assay::model::fabric
