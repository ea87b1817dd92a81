// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// The list of exporters: what `assay export` writes for programs that model training, of timings or
// coefficients.
//
// An exporter is a source NAME.cpp with a function `Exporter NAME_exporter()`, and its name in
// CMakeLists.txt.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "model/exporters/exported.hpp"

namespace assay::model::exporters {

/// An option that one exporter alone has.
struct OwnOption {
  enum class Kind { word, from_zero, from_one };
  std::string_view flag, about;
  Kind kind = Kind::word;
  std::string_view otherwise = {};      // where it is not given
  std::vector<std::string> words = {};  // that it may be; empty: any
};

/// Files of assay fit, instead of timings.
inline constexpr std::string_view coefficients_option = "--coefficients";

/// Options of exporters that read collectives.
inline const std::vector<std::string_view> network_options{"--collectives", "--ranks",     "--nodes",
                                                           "--dtype",       "--algorithm", "--least-bytes"};

struct Exporter {
  std::string_view name;               // "astra-sim"
  std::string_view about;              // what it writes, for --help
  std::vector<std::string_view> uses;  // of the options that exporters share, besides the network's
  bool reads_network = true;
  bool takes_system = false;  // of a file of coefficients the system, not the timings
  /// Throws a usage error with one line for rows that it needs and does not get, that its tool has no formula
  /// for, or that are of more than one number of ranks or nodes, dtype, algorithm or system; and for an
  /// unusable base.
  Exported (*write)(const ExportRequest& request);
  std::vector<OwnOption> own = {};
  std::string_view base = {};  // "SYSTEM, a file of Calculon", where nothing is read without it

  /// The option is one of this exporter's; --coefficients is of all.
  bool takes(std::string_view option) const;
};

/// Runs the exporter, and puts first among the notes which rows hardly any hardware reaches. Throws as
/// Exporter::write.
Exported exported(const Exporter& exporter, const ExportRequest& request);

/// Generated from the names in CMakeLists.txt.
const std::vector<Exporter>& exporters();
/// Null where there is none of that name.
const Exporter* exporter_named(std::string_view name);

}  // namespace assay::model::exporters
