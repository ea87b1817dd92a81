// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// The file of coefficients: JSON with one top-level key a line, written whole or not at all, checked when
// read. It holds one kind, or a section for each (`assay fit all`). Wherever a path is read, "FILE#KIND" is
// that section of a file with sections.
#pragma once

#include <array>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>

#include "model/fit/laws/collective_fit.hpp"
#include "model/fit/laws/gemm_fit.hpp"
#include "model/fit/laws/loggp_fit.hpp"
#include "model/fit/laws/overlap_fit.hpp"
#include "model/fit/laws/size_fit.hpp"
#include "model/fit/regression/accuracy.hpp"
#include "model/fit/rows/csv_table.hpp"
#include "model/fit/rows/provenance.hpp"

namespace assay::model::fit {

/// 2: collectives know their nodes. Files of version 1 are read: their collectives are of unknown nodes.
inline constexpr int coefficients_schema_version = 2;

struct GemmCoefficients {
  Provenance provenance;
  SeenRows seen;
  std::map<std::string, GemmModel> models;  // by GemmRow::group()
};

struct CollectiveCoefficients {
  Provenance provenance;
  SeenRows seen;
  CollectiveModels models;
  std::vector<RankLaw> rank_laws;
};

struct SizeCoefficients {
  Provenance provenance;
  SeenRows seen;
  SizeCurves curves;
};

struct LogGpCoefficients {
  Provenance provenance;
  SeenRows seen;
  std::map<std::string, LogGp> links;
};

/// A link's coefficients with their intervals.
struct LogGpParts {
  Coefficient one_way, gap, goodput;         // L_plus_2o_us, g_us, gb_per_s
  std::optional<Coefficient> overhead = {};  // o_us, where one is supported
};

struct ShareCoefficients {
  Provenance provenance;
  SeenRows seen;
  std::map<std::string, Coefficient> shares;  // by SlowdownRow::contest() or OverlapRow::contest()
};

enum class CoefficientsKind { gemm, collectives, memory, vector, links, loggp, interference, overlap };
inline constexpr std::array all_kinds{CoefficientsKind::gemm,         CoefficientsKind::collectives,
                                      CoefficientsKind::memory,       CoefficientsKind::vector,
                                      CoefficientsKind::links,        CoefficientsKind::loggp,
                                      CoefficientsKind::interference, CoefficientsKind::overlap};

/// Slowdowns and overlaps are measured, not fitted: there is no time to predict.
constexpr bool predicts_times(CoefficientsKind kind) {
  return kind != CoefficientsKind::interference && kind != CoefficientsKind::overlap;
}

/// "gemm", as the file and the command say it.
std::string to_string(CoefficientsKind kind);

/// The content of one kind: of a file of its own, or of a section.
nlohmann::ordered_json section_of(const Provenance& provenance, const SeenRows& seen, const GemmFits& fits);
nlohmann::ordered_json section_of(const Provenance& provenance, const SeenRows& seen,
                                  const CollectiveFit& fit);
/// `kind` is memory, vector or links.
nlohmann::ordered_json section_of(CoefficientsKind kind, const Provenance& provenance, const SeenRows& seen,
                                  const SizeFit& fit);
nlohmann::ordered_json section_of(const Provenance& provenance, const SeenRows& seen, const LogGpFit& fit);
nlohmann::ordered_json section_of(const Provenance& provenance, const SeenRows& seen,
                                  const std::map<std::string, Coefficient>& usages);
nlohmann::ordered_json section_of(const Provenance& provenance, const SeenRows& seen, const OverlapFit& fit);

/// Writes a file of one kind, as another file next to `path` that is then renamed; throws a usage error where
/// that cannot be done.
void write_coefficients(const std::string& path, const nlohmann::ordered_json& section);
/// The text that write_coefficients() writes.
std::string coefficients_text(const nlohmann::ordered_json& section);

/// Begins the lines of `not_measured` that say what the system lacks.
inline constexpr std::string_view of_the_system = "system: ";

/// Everything that `assay fit all` found.
struct AllCoefficients {
  std::map<CoefficientsKind, nlohmann::ordered_json> sections;
  std::map<CoefficientsKind, std::string> timings;  // CSV: the rows of each section
  std::vector<std::string> not_measured;            // a line each
  nlohmann::ordered_json system;  // assay's system file of the same rows; null: they allow none
};
/// Writes a file of all kinds in the same way.
void write_coefficients(const std::string& path, const AllCoefficients& all);
std::string coefficients_text(const AllCoefficients& all);

/// The path itself for a file of one kind or for "FILE#KIND"; "FILE#KIND" of each section of any other.
std::vector<std::string> sections_of_coefficients(const std::string& path);
/// "FILE" of "FILE#KIND".
std::string file_of_section(const std::string& path);
/// The rows that `assay fit all` kept with the section of that kind, named "FILE#KIND"; nothing where the
/// file has no such section. Throws a usage error for any other file.
std::optional<CsvSource> timings_in(const std::string& path, CoefficientsKind kind);

/// The system of a file of `assay fit all`.
struct DescribedSystem {
  nlohmann::ordered_json system;
  std::vector<std::string> not_measured;  // the lines that are of it, without their beginning
};
/// Throws a usage error for a file that describes none.
DescribedSystem system_in(const std::string& path);
/// The usage error of a file of `assay fit all` without one.
[[noreturn]] void refuse_without_system(const std::string& path);

/// All of them throw a usage error naming file and key for a file that is not what they expect.
CoefficientsKind kind_of_coefficients(const std::string& path);
GemmCoefficients read_gemm_coefficients(const std::string& path);
CollectiveCoefficients read_collective_coefficients(const std::string& path);
SizeCoefficients read_size_coefficients(const std::string& path);  // of memory, vector or links
LogGpCoefficients read_loggp_coefficients(const std::string& path);
std::map<std::string, LogGpParts> read_loggp_parts(const std::string& path);  // by link, of the same file
/// `kind` is interference or overlap.
ShareCoefficients read_share_coefficients(const std::string& path, CoefficientsKind kind);

/// One line for each coefficient that the data do not support.
std::vector<std::string> warnings_of(const GemmFits& fits);
std::vector<std::string> warnings_of(const CollectiveFit& fit);
std::vector<std::string> warnings_of(const SizeFit& fit);
std::vector<std::string> warnings_of(const LogGpFit& fit);
std::vector<std::string> warnings_of(const std::map<std::string, Coefficient>& usages);
std::vector<std::string> warnings_of(const OverlapFit& fit);

}  // namespace assay::model::fit
