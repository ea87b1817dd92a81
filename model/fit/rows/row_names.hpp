// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Names under which files of coefficients keep curves, links and contests. They are put together and taken
// apart here alone.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace assay::model::fit {

/// Collective curves that differ in dtype alone: "node-a/nccl,all_reduce,8 on 1,ring". The system may hold
/// commas.
struct FamilyName {
  std::string system, operation;
  std::int64_t ranks = 0, nodes = 0;  // nodes that the ranks are on; 0: unknown
  std::string algorithm;

  std::string text() const;
  /// Nothing for a text of another form, or of fewer than 2 ranks.
  static std::optional<FamilyName> from(std::string_view text);
};

/// An operation under conditions: "write memory=host qps=1". A curve over sizes ends with its region of
/// memory, where it has one: "cuda.read data=random hot".
struct ConditionedName {
  std::string operation, conditions = {}, region = {};

  std::string text() const;
  static ConditionedName from(std::string_view text);
  /// Whether the region is a cache: "hot", or "L2".
  bool is_in_a_cache() const;
};

}  // namespace assay::model::fit
