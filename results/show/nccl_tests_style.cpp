// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// The columns of NVIDIA's nccl-tests (src/util.cu there).
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <tuple>
#include <utility>

#include "harness/core/names.hpp"
#include "results/show/peer_styles.hpp"
#include "results/show/tables.hpp"

namespace assay::results {
namespace {

struct ElementType {
  const char *ours, *theirs;
  std::int64_t bytes;
};
constexpr std::array<ElementType, 9> element_types{{{"fp32", "float", 4},
                                                    {"fp64", "double", 8},
                                                    {"bf16", "bfloat16", 2},
                                                    {"fp16", "half", 2},
                                                    {"fp8_e4m3", "f8e4m3", 1},
                                                    {"fp8_e5m2", "f8e5m2", 1},
                                                    {"int8", "int8", 1},
                                                    {"int32", "int32", 4},
                                                    {"int64", "int64", 8}}};

constexpr const char* all_to_all_v = "all_to_all_v";

/// As the columns are sorted: by size first, repetitions last.
struct RowKey {
  std::int64_t bytes = 0;
  std::string type, reduction;
  std::int64_t root = -1, repetition = 0;
  auto operator<=>(const RowKey&) const = default;
};

struct Sides {
  const PointRecord* out_of_place = nullptr;
  const PointRecord* in_place = nullptr;
};

struct NcclTestsBlock {
  std::string operation;
  std::int64_t ranks = 0;
  std::map<RowKey, Sides> rows;
};

std::string word_in(const Fields& fields, const std::string& name, const std::string& otherwise) {
  const Scalar* value = find(fields, name);
  return value == nullptr ? otherwise : word_or_empty(*value);
}

std::int64_t whole_in(const Fields& fields, const std::string& name, std::int64_t otherwise) {
  const auto value = number_in(fields, name);
  return value ? static_cast<std::int64_t>(*value) : otherwise;
}

/// Their programs that split their size among the ranks count the elements of one share.
std::int64_t elements_of(const NcclTestsBlock& block, const RowKey& row) {
  const auto* const type = std::ranges::find(element_types, row.type, &ElementType::theirs);
  const bool is_shared = block.operation != "all_reduce" && block.operation != "broadcast" &&
                         block.operation != "reduce" && block.operation != "send_receive" &&
                         block.operation != all_to_all_v;
  const std::int64_t shares = is_shared && block.ranks > 0 ? block.ranks : 1;
  return row.bytes / shares / (type == element_types.end() ? 1 : type->bytes);
}

/// As many decimals, up to two, as the width has room for.
std::string within(double value, std::size_t width) {
  for (const int decimals : {2, 1, 0})
    if (std::string text = fmt::format("{:.{}f}", value, decimals); text.size() <= width) return text;
  return fmt::format("{:.{}e}", value, width >= 7 ? 1 : 0);
}

std::string metric_text(const PointRecord& record, const char* name, std::size_t width) {
  const Metric* metric = find(record.metrics, name);
  return metric == nullptr ? "N/A" : within(metric->value, width);
}

std::string wrong_text(const PointRecord& record) {
  if (const Metric* wrong = find(record.metrics, core::names::wrong_elements); wrong != nullptr)
    return fmt::format("{:g}", wrong->value);
  return record.verification.result == core::Verification::Result::right ? "0" : "N/A";
}

std::string side_text(const PointRecord* record) {
  std::array<std::string, 4> cells{"N/A", "N/A", "N/A", "N/A"};
  if (record != nullptr)
    cells = {metric_text(*record, core::names::time_us, 7),
             metric_text(*record, core::names::algbw_gb_per_s, 6),
             metric_text(*record, core::names::busbw_gb_per_s, 6), wrong_text(*record)};
  return fmt::format("  {:>7}  {:>6}  {:>6}  {:>6}", cells[0], cells[1], cells[2], cells[3]);
}

std::string header_text() {
  const std::string side = fmt::format("  {:>7}  {:>6}  {:>6}  {:>6}", "time", "algbw", "busbw", "#wrong");
  const std::string units = fmt::format("  {:>7}  {:>6}  {:>6}", "(us)", "(GB/s)", "(GB/s)");
  const auto left = [](auto... cells) {
    return fmt::format("# {:>10}  {:>12}  {:>8}  {:>6}  {:>6}", cells...);
  };
  return fmt::format("#\n{}  {:>20}{:>35}\n{}{}{}\n{}{}        {}\n", left("", "", "", "", ""),
                     "out-of-place", "in-place", left("size", "count", "type", "redop", "root"), side, side,
                     left("(B)", "(elements)", "", "", ""), units, units);
}

/// The mean over every bus bandwidth in the block, and the records that failed their verification.
std::string footer_text(const NcclTestsBlock& block) {
  double sum = 0;
  int count = 0, wrong = 0;
  for (const auto& [key, sides] : block.rows)
    for (const PointRecord* record : {sides.out_of_place, sides.in_place}) {
      if (record == nullptr) continue;
      wrong += record->status == Status::wrong ? 1 : 0;
      const Metric* busbw = find(record->metrics, core::names::busbw_gb_per_s);
      if (busbw != nullptr) sum += busbw->value;
      if (busbw != nullptr) ++count;
    }
  return fmt::format("# {:<20} : {} {}\n# {:<20} : {}\n#\n", "Out of bounds values", wrong,
                     wrong > 0 ? "FAILED" : "OK", "Avg bus bandwidth",
                     count > 0 ? fmt::format("{:g}", sum / count) : "N/A");
}

/// The bytes of a point; of an all_to_all_v those of the rank that sends most.
std::optional<double> size_of(const PointRecord& record, const std::string& operation) {
  if (operation == all_to_all_v) return record.work_bytes;
  return number_in(record.point, "bytes");
}

void add_record(std::map<std::string, NcclTestsBlock>& blocks, const PointRecord& record,
                const std::string& operation) {
  const std::optional<double> bytes = size_of(record, operation);
  const Scalar* type = find(record.point, "dtype");
  if (!record.time || !bytes || type == nullptr) return;
  const auto* const known = std::ranges::find(element_types, word_or_empty(*type), &ElementType::ours);
  const std::int64_t ranks = whole_in(record.conditions, core::names::ranks, 0);
  const std::int64_t nodes = whole_in(record.conditions, core::names::nodes, 0);
  const auto known_count = [](std::int64_t count) { return count > 0 ? std::to_string(count) : "N/A"; };
  const std::string heading =
      fmt::format("# {}, ranks: {}, nodes: {}{}\n", record.case_name, known_count(ranks), known_count(nodes),
                  other_axes(record.point, {"bytes", "dtype", "operator", "root", "in_place"}));
  NcclTestsBlock& block = blocks.try_emplace(heading, NcclTestsBlock{operation, ranks, {}}).first->second;
  Sides& sides = block.rows[{
      static_cast<std::int64_t>(*bytes), known == element_types.end() ? word_or_empty(*type) : known->theirs,
      word_in(record.point, "operator", "none"), whole_in(record.point, "root", -1), record.repetition}];
  (whole_in(record.point, "in_place", 0) == 1 ? sides.in_place : sides.out_of_place) = &record;
}

}  // namespace

std::string other_axes(const Fields& axes, const std::vector<std::string>& but) {
  std::string text;
  for (const auto& [name, value] : axes) {
    if (std::ranges::find(but, name) != but.end()) continue;
    const auto number = number_of(value);
    text += fmt::format(" {}={}", name, number ? fmt::format("{:g}", *number) : word_or_empty(value));
  }
  return text;
}

std::string nccl_tests_text(const RunPoints& run, const std::string& filter) {
  std::map<std::string, NcclTestsBlock> blocks;
  for (const StoredPoint& point : run.rows(filter.empty() ? "collectives.*" : filter))
    if ((point.status == Status::ok || point.status == Status::wrong) &&
        point.case_name.starts_with("collectives.") &&
        !point.case_name.starts_with(core::names::workload_cases))
      add_record(blocks, run.record(point.id), point.benchmark());
  std::string text = fmt::format("# {} ({})\n", title_of("Collectives", run), run.origin());
  for (const auto& [heading, block] : blocks) {
    text += heading + header_text();
    for (const auto& [row, sides] : block.rows)
      text += fmt::format("{:>12}  {:>12}  {:>8}  {:>6}  {:>6}{}{}\n", row.bytes, elements_of(block, row),
                          row.type, row.reduction, row.root, side_text(sides.out_of_place),
                          side_text(sides.in_place));
    text += footer_text(block);
  }
  return text;
}

}  // namespace assay::results
