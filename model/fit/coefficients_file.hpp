// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// The file of coefficients: JSON with one top-level key a line, written whole or not at all, checked when
// read.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "model/fit/accuracy.hpp"
#include "model/fit/collective_fit.hpp"
#include "model/fit/gemm_fit.hpp"
#include "model/fit/loggp_fit.hpp"
#include "model/fit/provenance.hpp"
#include "model/fit/size_fit.hpp"

namespace assay::model::fit {

inline constexpr int coefficients_schema_version = 1;

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

struct UsageCoefficients {
  Provenance provenance;
  SeenRows seen;
  std::map<std::string, Coefficient> usages;  // by SlowdownRow::contest()
};

enum class CoefficientsKind { gemm, collectives, memory, links, loggp, interference };

/// "gemm", as the file and the command say it.
std::string to_string(CoefficientsKind kind);

/// Writes another file next to `path` and renames it; throws a usage error where that cannot be done.
void write_gemm_fit(const std::string& path, const Provenance& provenance, const SeenRows& seen,
                    const GemmFits& fits);
void write_collective_fit(const std::string& path, const Provenance& provenance, const SeenRows& seen,
                          const CollectiveFit& fit);
/// `kind` is memory or links.
void write_size_fit(const std::string& path, CoefficientsKind kind, const Provenance& provenance,
                    const SeenRows& seen, const SizeFit& fit);
void write_loggp_fit(const std::string& path, const Provenance& provenance, const SeenRows& seen,
                     const LogGpFit& fit);
void write_usage_fit(const std::string& path, const Provenance& provenance, const SeenRows& seen,
                     const std::map<std::string, Coefficient>& usages);

/// All of them throw a usage error naming file and key for a file that is not what they expect.
CoefficientsKind kind_of_coefficients(const std::string& path);
GemmCoefficients read_gemm_coefficients(const std::string& path);
CollectiveCoefficients read_collective_coefficients(const std::string& path);
SizeCoefficients read_size_coefficients(const std::string& path);  // of memory or links
LogGpCoefficients read_loggp_coefficients(const std::string& path);
UsageCoefficients read_usage_coefficients(const std::string& path);

/// One line for each coefficient that the data do not support.
std::vector<std::string> warnings_of(const GemmFits& fits);
std::vector<std::string> warnings_of(const CollectiveFit& fit);
std::vector<std::string> warnings_of(const SizeFit& fit);
std::vector<std::string> warnings_of(const LogGpFit& fit);
std::vector<std::string> warnings_of(const std::map<std::string, Coefficient>& usages);

}  // namespace assay::model::fit
