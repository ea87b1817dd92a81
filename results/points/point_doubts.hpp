// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Why a point whose status is ok must not count as good evidence: what its record says of itself (stamps, the
// class of its link, a wrong verification) and numbers that no measurement gives. The one reader of these;
// every judge asks it.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "results/record/record.hpp"
#include "results/table/table.hpp"

namespace assay::results {

class Statement;

struct PointEvidence {
  static constexpr double assumed_quantile = 0.5;
  std::string case_name = {};
  Status status = Status::ok;
  std::int64_t n = 0;
  double time_s = 0, lower_s = 0, upper_s = 0, quantile = assumed_quantile;  // NaN where the record has none
  std::string stop;
  std::string metric, unit;  // the headline
  Number value;
  std::string verification, verification_why;
  std::string conditions;  // JSON
  std::vector<RankReport> ranks = {};
  std::vector<LinkReport> links = {};
  std::vector<FlowReport> flows = {};
  double work_bytes = 0, work_flops = 0;
  bool imported = false;           // by the origin of its process
  std::string contradiction = {};  // between parts of the record; empty: none
  /// The definition of its numbers, to compare: bytes and FLOPs of an iteration, how bytes are counted,
  /// quantile, ranks and nodes, each followed by '|'; of an imported one the parts of imported_definition(),
  /// too.
  std::string definition = {};

  /// Another tool's result, which names its statistic.
  bool is_imported() const;
  /// One number for a whole run of another tool, without samples and without an interval: noise is known
  /// between runs only. A record of this project's own modules is never one.
  bool is_aggregate() const;
};

struct PointDoubt {
  std::string why;  // one line
  bool is_wrong =
      false;  // the result itself is wrong, so that the unit fails; else the point is INCONCLUSIVE
};

/// The first part in which two definitions (PointEvidence) differ, and what each says. Iterations of other
/// tools differ where one count is more than twice the other.
struct DefinitionDifference {
  std::string_view part;
  std::string one, other;
};
std::optional<DefinitionDifference> difference_of(const std::string& one, const std::string& other);

/// For a query FROM points p: these columns, which evidence_from() reads.
inline constexpr const char* point_evidence_columns =
    "p.status, p.n, p.time_s, p.lower_s, p.upper_s, p.stop, p.metric, p.unit, p.value, p.lower, p.upper, "
    "p.record, (SELECT x.origin = 'imported' FROM contexts x WHERE x.run = p.run AND x.process = p.process) ";
inline constexpr int point_evidence_column_count = 13;

/// `first`: number of the column that point_evidence_columns begin at.
PointEvidence evidence_from(const Statement& row, int first);
/// Reads the evidence into `point`, whose memory is used again.
void read_evidence(const Statement& row, int first, PointEvidence& point);

/// Nothing where nothing counts against the point or its raw samples (seconds per iteration), and for a point
/// that is not ok, which says so itself.
std::optional<PointDoubt> doubt_about(const PointEvidence& point, std::span<const double> samples_s = {});
/// The doubt about any metric of a point, likewise: "latency_us is -5 us".
std::optional<PointDoubt> doubt_about_value(const std::string& metric, const std::string& unit,
                                            const Number& value);

}  // namespace assay::results
