// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "model/fit/rows/provenance.hpp"

#include <algorithm>

#include "harness/core/files/sha256.hpp"
#include "harness/core/version.hpp"

namespace assay::model::fit {

SeenRows::SeenRows(std::vector<std::uint32_t> prefixes) : prefixes_(std::move(prefixes)) {
  std::ranges::sort(prefixes_);
  prefixes_.erase(std::ranges::unique(prefixes_).begin(), prefixes_.end());
}

std::uint32_t SeenRows::prefix(const std::string& key) {
  return static_cast<std::uint32_t>(core::sha256_prefix(key) >> 32);
}

bool SeenRows::contains(const std::string& key) const {
  return std::ranges::binary_search(prefixes_, prefix(key));
}

std::string machine_and_origin(const std::string& machine, const std::string& origin) {
  if (origin == "measured") return machine;
  return (machine.empty() ? "a machine without a name" : machine) + " (" + origin + ")";
}

Provenance provenance_of(const CsvTable& table, const std::string& machine, std::size_t rows,
                         std::uint64_t seed, const std::string& fitted_at) {
  return {table.path(), table.sha256(), table.origin(), machine,
          rows,         seed,           fitted_at,      std::string("assay ") + core::version()};
}

}  // namespace assay::model::fit
