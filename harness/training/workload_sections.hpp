// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// The tables of a workload file that modules and fabrics read alike: streams, and keys of their operations.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include "harness/core/text/toml_section.hpp"
#include "harness/training/bytes_matrix.hpp"
#include "harness/training/rank_groups.hpp"

namespace assay::training {

/// A source whose numbers, from 1e-15 to 1e15, leave what follows from them finite.
core::TomlSource finite_source(const std::string& file, std::vector<core::ReplacedKey> replaced = {});

/// Keys of a step: its ranks, and the compute that a running exchange of another stream takes.
struct StepKeys {
  std::uint32_t ranks = 0;
  double processor_usage = 0;
};
inline constexpr std::uint32_t most_ranks = 1U << 24U;
constexpr auto fields_of(core::Type<StepKeys>) {
  using core::Field;
  return std::tuple(Field<"ranks", &StepKeys::ranks>{{.lowest = 1, .highest = most_ranks}},
                    Field<"processor_usage", &StepKeys::processor_usage>{
                        {.lowest = 0, .highest = 1, .excludes_highest = true, .may_be_absent = true}});
}

/// [[stream]], with [[stream.op]] as written.
struct StreamSection {
  std::string name;
  std::vector<std::size_t> after = {};  // places of streams that end before it begins
  std::vector<core::TomlSection> operations = {};
};

/// The streams of a step in their order. Refuses two of one name, and streams that wait for one another in a
/// circle.
std::vector<StreamSection> read_streams(const core::TomlSection& step);
/// Places of streams, each after those that it waits for. Without those in a circle.
std::vector<std::size_t> order_of(const std::vector<StreamSection>& streams);

/// [[stream.op]]: compute_us of all ranks or those of `on`, a collective, or a pattern. Groups are all ranks
/// unless stated.
struct OperationKeys {
  std::string name = {}, among = {}, collective = {}, pattern = {}, on = {};
  std::optional<double> compute_us = {};
  std::uint32_t times = 1;
  std::vector<std::string> group_texts = {};
  std::string matrix_file = {}, distribution = {};  // of all_to_all_v, one of them
  std::string algorithm = {}, across = {};          // of fabrics alone
  std::optional<std::uint32_t> by = {}, seed = {};  // of fabrics alone
  std::vector<RankGroup> groups = {};               // of compute: none, or one of the ranks that compute
  std::uint64_t bytes = 0;                          // of a matrix, what the rank sends that sends most
  std::shared_ptr<const BytesMatrix> matrix = nullptr;
};
inline constexpr std::array<std::string_view, 2> distributions = {"exponential", "zipf"};
constexpr auto fields_of(core::Type<OperationKeys>) {
  using core::Field;
  using Keys = OperationKeys;
  constexpr core::Terms any = core::any_value.where_known();
  return std::tuple(
      Field<"name", &Keys::name>{any}, Field<"among", &Keys::among>{any},
      Field<"collective", &Keys::collective>{any}, Field<"pattern", &Keys::pattern>{any},
      Field<"on", &Keys::on>{any}, Field<"compute_us", &Keys::compute_us>{core::above_zero},
      Field<"times", &Keys::times>{{.lowest = 1, .highest = 1U << 30U, .may_be_absent = true}},
      Field<"groups", &Keys::group_texts>{any}, Field<"matrix", &Keys::matrix_file>{any},
      Field<"distribution", &Keys::distribution>{{.words = distributions, .may_be_absent = true}},
      Field<"algorithm", &Keys::algorithm>{any}, Field<"across", &Keys::across>{any},
      Field<"by", &Keys::by>{{.lowest = 1, .highest = 1U << 30U}},
      Field<"seed", &Keys::seed>{{.lowest = 0, .highest = 1U << 30U}});
}

/// Throws a usage Error with file, line, key and what was expected.
OperationKeys read_operation_keys(const core::TomlSection& section, std::uint32_t ranks);

}  // namespace assay::training
