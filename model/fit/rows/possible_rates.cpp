// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Figures are NVIDIA's, of data sheets: H100 SXM (989 TFLOP/s dense in 16 bits, 1,979 in 8; 3.35 TB/s; NVLink
// 450 GB/s in one direction; ConnectX-7 50 GB/s), and Rubin as announced in 2026 (4,000, 17,500 and, in 4
// bits, 50,000 TFLOP/s; 22 TB/s; NVLink 1,800 GB/s; ConnectX-9 200 GB/s).
#include "model/fit/rows/possible_rates.hpp"

#include <fmt/format.h>

#include <array>
#include <map>
#include <optional>

namespace assay::model::fit {
namespace {

constexpr double one_tera = 1e12, one_giga = 1e9, us_per_s = 1e6;

constexpr RateBound products_of_16_bits{100 * 989 * one_tera, 2 * 4'000 * one_tera, "TFLOP/s",
                                        "100 times an H100's 989 TFLOP/s"};
constexpr RateBound products_of_8_bits{100 * 1'979 * one_tera, 2 * 17'500 * one_tera, "TFLOP/s",
                                       "100 times an H100's 1,979 TFLOP/s"};
constexpr RateBound products_of_4_bits{100 * 1'979 * one_tera, 2 * 50'000 * one_tera, "TFLOP/s",
                                       "100 times an H100's 1,979 TFLOP/s in 8 bits"};
constexpr RateBound memories{100 * 3.35 * one_tera, 2 * 22 * one_tera, "TB/s",
                             "100 times an H100's 3.35 TB/s"};
constexpr RateBound exchanges{100 * 450 * one_giga, 2 * 1'800 * one_giga, "TB/s",
                              "100 times NVLink's 0.45 TB/s"};
constexpr RateBound messages{100 * 50 * one_giga, 2 * 200 * one_giga, "TB/s",
                             "100 times an adapter's 0.05 TB/s"};

double least_bytes(std::string_view dtype) {
  if (dtype.find("fp4") != std::string_view::npos || dtype.find("int4") != std::string_view::npos) return 0.5;
  if (dtype.find('8') != std::string_view::npos) return 1;
  return 2;
}

struct Claim {
  double per_s = 0;
  const RateBound* bound = nullptr;
  bool is_refused_alone = false;  // caches have no bound for doubts
};

/// The doubtful rates of a table's times. Throws where a row is refused.
class Doubts {
 public:
  explicit Doubts(const CsvTable& table) : table_(table) {}

  void check(std::size_t row, const Claim& claim) {
    const RateBound& bound = *claim.bound;
    if (claim.per_s >= bound.refused)
      table_.complain(row, "time_us",
                      fmt::format("{}, above {}: expected microseconds, and sizes in bytes",
                                  shown(claim.per_s, bound), bound.limit));
    if (claim.is_refused_alone || claim.per_s < bound.doubted) return;
    const auto [place, is_first] = first_.try_emplace(&bound, Found{row, claim.per_s, 0});
    if (!is_first) ++place->second.more;
  }

  std::vector<std::string> warnings() const {
    std::vector<std::string> all;
    for (const auto& [bound, found] : first_)
      all.push_back(fmt::format(
          "{}: {}, above {}, twice what the newest hardware does: are times in us, and sizes in bytes?{}",
          table_.where(found.row, "time_us"), shown(found.per_s, *bound), shown(bound->doubted, *bound),
          found.more == 0 ? "" : fmt::format(" So are {} more rows.", found.more)));
    return all;
  }

 private:
  struct Found {
    std::size_t row = 0;
    double per_s = 0;
    std::size_t more = 0;
  };

  static std::string shown(double per_s, const RateBound& bound) {
    return fmt::format("{:.4g} {}", per_s / one_tera, bound.unit);
  }

  const CsvTable& table_;
  std::map<const RateBound*, Found> first_;
};

/// The bytes that each rank sends at least, by a ring or a tree.
double sent_bytes(const CollectiveRow& row) {
  if (is_message(row.operation)) return row.size_bytes;
  const double share = static_cast<double>(row.ranks - 1) / static_cast<double>(row.ranks);
  return row.size_bytes * share;
}

double per_s(double amount, double time_us) { return amount / time_us * us_per_s; }

}  // namespace

const RateBound& product_rate(std::string_view dtype) {
  const double bytes = least_bytes(dtype);
  return bytes < 1 ? products_of_4_bits : bytes < 2 ? products_of_8_bits : products_of_16_bits;
}
const RateBound& memory_rate() { return memories; }
const RateBound& exchange_rate() { return exchanges; }
const RateBound& message_rate() { return messages; }

std::vector<std::string> doubts_of(const Timings<GemmRow>& timings) {
  Doubts doubts(timings.table);
  for (const GemmRow& row : timings.rows) {
    doubts.check(row.table_row, {per_s(row.shape.flop(), row.time_us), &product_rate(row.dtype)});
    doubts.check(row.table_row,
                 {per_s(row.shape.elements() * least_bytes(row.dtype), row.time_us), &memories});
  }
  return doubts.warnings();
}

std::vector<std::string> doubts_of(const Timings<CollectiveRow>& timings) {
  Doubts doubts(timings.table);
  for (const CollectiveRow& row : timings.rows)
    doubts.check(row.table_row, {per_s(sent_bytes(row), row.time_us), &exchanges});
  return doubts.warnings();
}

std::vector<std::string> doubts_of(const Timings<SizeRow>& timings) {
  Doubts doubts(timings.table);
  for (const SizeRow& row : timings.rows) {
    const bool is_cache = !row.region.empty() && row.region != "memory" && row.region != "cold";
    doubts.check(row.table_row, {per_s(row.size_bytes, row.time_us), &memories, is_cache});
  }
  return doubts.warnings();
}

std::vector<std::string> doubts_of(const Timings<VerbsRow>& timings) {
  Doubts doubts(timings.table);
  for (const VerbsRow& row : timings.rows)
    if (row.kind != VerbsRow::Kind::overhead)  // a processor's time, in which nothing is carried
      doubts.check(row.table_row, {per_s(row.size_bytes, row.time_us), &messages});
  return doubts.warnings();
}

LinkLimits link_limits(double flop_per_s) {
  struct Generation {
    double most_flop_per_s;
    LinkLimits limits;
  };
  constexpr std::array generations{
      Generation{200 * one_tera, {150 * one_giga, 25 * one_giga}},      // V100
      Generation{600 * one_tera, {300 * one_giga, 25 * one_giga}},      // A100
      Generation{1'600 * one_tera, {450 * one_giga, 50 * one_giga}},    // H100, H200
      Generation{3'000 * one_tera, {900 * one_giga, 100 * one_giga}}};  // B200, B300
  for (const Generation& one : generations)
    if (flop_per_s <= one.most_flop_per_s) return one.limits;
  return {1'800 * one_giga, 200 * one_giga};  // Rubin
}

}  // namespace assay::model::fit
