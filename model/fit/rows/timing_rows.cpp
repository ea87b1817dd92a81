// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "model/fit/rows/timing_rows.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <ranges>
#include <string_view>
#include <tuple>

#include "harness/core/files/sha256.hpp"
#include "model/fit/rows/timings_of.hpp"
#include "results/export/timings_csv.hpp"

namespace assay::model::fit {
namespace {

/// A collective's name here, in nccl-tests or in the public tables; size_bytes is bytes_per_rank times the
/// number of ranks if `parted`, else once.
struct CollectiveName {
  std::string_view name;
  bool parted = false;
};
constexpr std::array<CollectiveName, 12> collective_names = {{{"all_reduce"},
                                                              {"all_gather", true},
                                                              {"reduce_scatter", true},
                                                              {"all_to_all", true},
                                                              {"all_to_all_v", true},
                                                              {"broadcast"},
                                                              {"reduce"},
                                                              {"gather", true},
                                                              {"scatter", true},
                                                              {"send_recv"},
                                                              {"sendrecv"},
                                                              {"send_receive"}}};
constexpr std::array<std::string_view, 17> collective_dtypes = {"fp64",
                                                                "fp32",
                                                                "fp16",
                                                                "bf16",
                                                                "fp8_e4m3",
                                                                "fp8_e5m2",
                                                                "int8",
                                                                "uint8",
                                                                "int32",
                                                                "uint32",
                                                                "int64",
                                                                "uint64",
                                                                "float64",
                                                                "float32",
                                                                "float16",
                                                                "bfloat16",
                                                                results::unknown_dtype};

const CollectiveName& collective(const CsvTable& table, std::size_t row) {
  const std::string name = word(table, row, "op");
  const auto* const found = std::ranges::find(collective_names, name, &CollectiveName::name);
  if (found == collective_names.end())
    table.complain(
        row, "op",
        fmt::format("expected one of {}, got '{}'",
                    fmt::join(collective_names | std::views::transform(&CollectiveName::name), ", "), name));
  return *found;
}

std::string collective_dtype(const CsvTable& table, std::size_t row) {
  std::string dtype = word(table, row, "dtype");
  if (std::ranges::find(collective_dtypes, dtype) == collective_dtypes.end())
    table.complain(row, "dtype",
                   fmt::format("expected one of {}, got '{}'", fmt::join(collective_dtypes, ", "), dtype));
  return current_dtype(dtype);
}

/// Throws where two sizes of a table contradict each other: one of them is wrong, and it is unknown which.
void check_bytes_per_rank(const CsvTable& table, const CollectiveName& operation, const CollectiveRow& row) {
  if (table.text(row.table_row, "bytes_per_rank").empty()) return;
  const double told = table.positive(row.table_row, "bytes_per_rank");
  const double expected = row.size_bytes / (operation.parted ? static_cast<double>(row.ranks) : 1);
  if (std::abs(told - expected) < 1) return;  // a size that the ranks do not divide
  table.complain(row.table_row, "bytes_per_rank",
                 fmt::format("{:.0f}, where {} of size_bytes {:.0f} among {} ranks has {:.0f}", told,
                             row.operation, row.size_bytes, row.ranks, expected));
}

GemmRow gemm_row(const CsvTable& table, std::size_t row) {
  GemmRow read;
  read.shape = {static_cast<double>(table.count(row, "m")), static_cast<double>(table.count(row, "n")),
                static_cast<double>(table.count(row, "k"))};
  read.dtype = word(table, row, "dtype");
  if (!table.text(row, "batch").empty()) read.shape.batch = static_cast<double>(table.count(row, "batch"));
  read.layout = table.text(row, "layout");
  if (read.shape.batch > 1 && !read.is_batched())
    read.layout = read.layout.empty() ? "batched" : "batched/" + read.layout;
  if (!table.text(row, "multiprocessors").empty()) read.multiprocessors = table.count(row, "multiprocessors");
  read.time_us = table.positive(row, "time_us");
  read.table_row = row;
  return read;
}

CollectiveRow collective_row(const CsvTable& table, std::size_t row) {
  CollectiveRow read;
  read.system = table.text(row, "source");
  if (table.has("devices_per_node"))
    read.system += fmt::format(", {} devices per node", table.count(row, "devices_per_node"));
  const CollectiveName& operation = collective(table, row);
  read.operation = operation.name;
  read.algorithm = table.text(row, "algorithm");
  read.dtype = collective_dtype(table, row);
  read.ranks = table.count(row, "ranks");
  if (read.ranks < 2) table.complain(row, "ranks", "expected 2 or more, got 1");
  if (!table.text(row, "nodes").empty()) read.nodes = table.count(row, "nodes");
  if (read.nodes > read.ranks)
    table.complain(row, "nodes",
                   fmt::format("expected at most the {} ranks, got {}", read.ranks, read.nodes));
  read.size_bytes = table.positive(row, "size_bytes");
  read.time_us = table.positive(row, "time_us");
  read.table_row = row;
  check_bytes_per_rank(table, operation, read);
  return read;
}

SizeRow size_row(const CsvTable& table, std::size_t row) {
  return {.operation = word(table, row, "operation"),
          .conditions = table.text(row, "conditions"),
          .region = table.text(row, "region"),
          .size_bytes = table.positive(row, "size_bytes"),
          .time_us = table.positive(row, "time_us"),
          .table_row = row};
}

constexpr std::array<std::string_view, 3> verbs_kinds = {"latency", "stream", "overhead"};

VerbsRow verbs_row(const CsvTable& table, std::size_t row) {
  const std::string kind = word(table, row, "kind");
  const auto* const known = std::ranges::find(verbs_kinds, kind);
  if (known == verbs_kinds.end())
    table.complain(row, "kind", fmt::format("expected latency, stream or overhead, got '{}'", kind));
  return {.operation = word(table, row, "operation"),
          .posting = table.text(row, "posting"),
          .conditions = table.text(row, "conditions"),
          .kind = static_cast<VerbsRow::Kind>(known - verbs_kinds.begin()),
          .size_bytes = table.positive(row, "size_bytes"),
          .time_us = table.positive(row, "time_us"),
          .table_row = row};
}

}  // namespace

bool is_batched_layout(std::string_view layout) {
  return layout == "batched" || layout.starts_with("batched/");
}

std::string current_dtype(const std::string& name) {
  if (name == "bfloat16") return "bf16";
  return name.starts_with("float") ? "fp" + name.substr(5) : name;
}

std::string GemmRow::key() const {
  return fmt::format("gemm,{},{:.0f},{:.0f},{:.0f}{}", group(), shape.m, shape.n, shape.k,
                     is_batched() ? fmt::format(",{:.0f}", shape.batch) : "");
}

std::string GemmRow::pair() const { return fmt::format("pair,{:.0f},{:.0f}", shape.n, shape.k); }

bool is_message(std::string_view operation) {
  return operation == "send_receive" || operation == "send_recv" || operation == "sendrecv";
}

std::string CollectiveRow::tiered_system() const { return with_tier(system, tier()); }

FamilyName CollectiveRow::name() const {
  return {.system = system, .operation = operation, .ranks = ranks, .nodes = nodes, .algorithm = algorithm};
}

std::string CollectiveRow::family() const { return name().text(); }

std::string CollectiveRow::curve() const { return family() + "," + dtype; }

std::string CollectiveRow::key() const { return fmt::format("coll,{},{:.0f}", curve(), size_bytes); }

CollectiveRow CollectiveRow::of_unknown_nodes() const {
  CollectiveRow row = *this;
  row.nodes = 0;
  return row;
}

std::vector<CollectiveRow> on_most_nodes(std::vector<CollectiveRow> rows) {
  const auto collective = [](const CollectiveRow& row) {
    return std::tuple(row.operation, row.dtype, row.ranks);
  };
  std::map<std::tuple<std::string, std::string, std::int64_t>, std::int64_t> most;
  for (const CollectiveRow& row : rows) {
    std::int64_t& nodes = most[collective(row)];
    nodes = std::max(nodes, row.nodes);
  }
  std::erase_if(rows, [&](const CollectiveRow& row) { return row.nodes < most.at(collective(row)); });
  return rows;
}

std::string SizeRow::curve() const { return ConditionedName{operation, conditions, region}.text(); }

std::string SizeRow::key() const { return fmt::format("size,{},{:.0f}", curve(), size_bytes); }

std::string VerbsRow::link() const { return ConditionedName{operation, conditions}.text(); }

std::string VerbsRow::key() const {
  return fmt::format("verbs,{},{},{},{:.0f}", link(), verbs_kinds[static_cast<std::size_t>(kind)], posting,
                     size_bytes);
}

Timings<GemmRow> read_gemm_timings(const CsvSource& source) {
  return timings(CsvTable::read(source, {{"m", "n", "k", "dtype", "time_us"},
                                         {"layout", "batch", "tensor_parallel", "source", "machine",
                                          "multiprocessors", "time_min_us", "time_max_us"}}),
                 gemm_row);
}

Timings<CollectiveRow> read_collective_timings(const CsvSource& source) {
  return timings(CsvTable::read(source, {{"op", "ranks", "size_bytes", "dtype", "time_us"},
                                         {"nodes", "bytes_per_rank", "algorithm", "source", "machine",
                                          "devices_per_node", "time_min_us", "time_max_us"}}),
                 collective_row);
}

Timings<SizeRow> read_size_timings(const CsvSource& source) {
  return timings(
      CsvTable::read(source, {{"operation", "size_bytes", "time_us"},
                              {"conditions", "region", "source", "machine", "time_min_us", "time_max_us"}}),
      size_row);
}

Timings<VerbsRow> read_verbs_timings(const CsvSource& source) {
  return timings(CsvTable::read(source, {{"operation", "kind", "size_bytes", "time_us"},
                                         {"posting", "conditions", "source", "machine"}}),
                 verbs_row);
}

int split_bucket(std::uint64_t seed, const std::string& key) {
  return static_cast<int>(core::sha256_prefix(fmt::format("{},{}", seed, key)) % 100);
}

}  // namespace assay::model::fit
