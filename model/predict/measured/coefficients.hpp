// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Times that `assay fit` fitted to measurements, instead of a system's tables.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "model/json/json_document.hpp"
#include "model/predict/measured/measured_times.hpp"
#include "model/predict/system/system.hpp"

namespace assay::model {

/// A file of coefficients: of products with weights, vector kernels, a memory, or collectives, messages or
/// the processor usage of the network `tier`.
struct CoefficientFile {
  std::string path;
  std::size_t tier = 0;
};

/// `PATH` (a network's is tier 0) or `TIER=PATH`.
CoefficientFile coefficient_file_from(const std::string& text);

/// The files that a system names: `coefficients` next to its tables for products or vector kernels, in a
/// network for that network's collectives. Paths are from the folder of the file that opens the document's
/// messages. Throws a usage Error naming file and key.
std::vector<CoefficientFile> coefficient_files_of(const JsonValue& system);

/// Puts what the file says into `system`, before any times that are there, and says in one line what it is.
/// Collectives go to the network that says it is of their tier; where none does, to the named one, but of a
/// file of both tiers those within a node to network 0, and those over nodes to network 1 or a later one that
/// is named. Those without a network are left out, and the line says so. Throws a usage Error where the
/// system has no network that was named.
std::string apply_coefficients(const CoefficientFile& file, const MeasuredTimes& times, System& system);

/// Puts measured products into `system`, instead of any that are there.
void set_products(std::shared_ptr<const MeasuredProducts> products, System& system);
/// Puts a measured collective into a curve, instead of what is there.
void set_collective(std::shared_ptr<const MeasuredCollective> measured, CollectiveCurve& curve);
/// Puts a law over ranks into `law`, instead of what is there.
void set_law(std::shared_ptr<const MeasuredLaw> measured, CollectiveLaw& law);
/// Puts all measured times of a system into another of the same networks, as if its files were read again.
void copy_measured_times(const System& from, System& to);

}  // namespace assay::model
