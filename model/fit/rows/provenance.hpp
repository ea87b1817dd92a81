// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// The source of coefficients, and the rows that they have seen.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "model/fit/rows/csv_table.hpp"

namespace assay::model::fit {

struct Provenance {
  std::string source_file, source_sha256;
  std::string origin;  // of the rows, as CsvTable has it; "unknown" of files that lack it
  std::string machine;
  std::size_t rows = 0;
  std::uint64_t seed = 0;
  std::string fitted_at, fitted_by;
};

/// Sorted 32-bit prefixes of the SHA-256 of each row's key: a row is taken for seen by mistake once in 4e9 /
/// rows.
class SeenRows {
 public:
  SeenRows() = default;
  explicit SeenRows(std::vector<std::uint32_t> prefixes);
  template <class Row>
  static SeenRows of(const std::vector<Row>& rows) {
    std::vector<std::uint32_t> prefixes;
    for (const Row& row : rows) prefixes.push_back(prefix(row.key()));
    return SeenRows(std::move(prefixes));
  }

  bool contains(const std::string& key) const;
  /// Whether the row is contained, by its key or by the one that older files have of it.
  template <class Row>
  bool contains_row(const Row& row) const {
    if constexpr (requires { row.older_key(); })
      if (contains(row.older_key())) return true;
    return contains(row.key());
  }
  const std::vector<std::uint32_t>& prefixes() const { return prefixes_; }

 private:
  static std::uint32_t prefix(const std::string& key);

  std::vector<std::uint32_t> prefixes_;
};

/// The machine, and what its numbers are where they are not all measured: "node-a (simulated)".
std::string machine_and_origin(const std::string& machine, const std::string& origin);

/// `fitted_at` is the time of day.
Provenance provenance_of(const CsvTable& table, const std::string& machine, std::size_t rows,
                         std::uint64_t seed, const std::string& fitted_at);

}  // namespace assay::model::fit
