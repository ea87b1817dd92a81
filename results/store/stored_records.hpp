// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// The parts of a point that a store keeps besides its row. For a point that is not there, each function
// throws std::runtime_error with one line.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "results/record/record.hpp"
#include "results/store/sqlite/database.hpp"
#include "results/store/store.hpp"

namespace assay::results {

/// Axes or conditions as a store keeps them.
Fields stored_fields(std::string_view json);

/// Raw samples, seconds per iteration, in the order taken.
std::vector<double> samples_of(const Store& store, std::int64_t point);

/// The conditions alone: less to read than a record.
Fields conditions_of(const Store& store, std::int64_t point);

/// For many points, one after the other. The store must live as long.
class RecordReader {
 public:
  explicit RecordReader(const Store& store);
  /// Everything but the samples.
  PointRecord read(std::int64_t point);

 private:
  const Store& store_;
  Statement row_;
};

/// The records of these points, in their order, read by several processors. Only a lock that the caller holds
/// (ReadTransaction) makes them those of one state of the store.
std::vector<PointRecord> records_of(const Store& store, const std::vector<std::int64_t>& points);

}  // namespace assay::results
