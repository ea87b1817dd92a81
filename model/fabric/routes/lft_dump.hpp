// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Linear forwarding tables as InfiniBand tools print them: opensm-lfts.dump and opensm.fdbs (opensm 3.3.23),
// dump_lfts, dump_fts and ibroute (rdma-core, infiniband-diags 44.0), and ibdiagnet's .fdbs.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace assay::model::fabric::routes {

struct SwitchTable {
  std::uint64_t guid = 0;
  std::size_t line = 0;                  // of its heading
  std::string file = {};                 // it is in
  std::vector<std::uint8_t> ports = {};  // by LID; 255, and beyond the end: none

  std::uint8_t port(std::uint32_t lid) const { return lid < ports.size() ? ports[lid] : 255; }
};

struct LftDump {
  std::map<std::uint64_t, SwitchTable> switches;  // by GUID
  std::vector<std::uint64_t> owners;              // port GUID of each LID; 0: not named
  std::vector<std::string> notes;                 // what was left out
};

/// Adds the tables of a file to `dump`. Multicast tables and private tables of adaptive routing (PLFT_NUM
/// above 0) are left out, with a note, as lines that no such tool writes. Throws a usage Error with file and
/// line for entries that are cut off, or differ from those of the same switch and LID before; with the file
/// where it has no table.
void read_lft_dump(const std::string& file, LftDump& dump);
LftDump parse_lft_dump(std::string_view text, const std::string& file);

}  // namespace assay::model::fabric::routes
