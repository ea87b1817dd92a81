// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// The times of one type in a file of `assay fit`: of products with weights, of vector kernels, or of a
// network's collectives.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <tuple>
#include <vector>

#include "model/fit/coefficients/coefficients_file.hpp"
#include "model/predict/measured/measured_part.hpp"
#include "model/predict/system/execution.hpp"

namespace assay::model {

struct MeasuredTimes {
  std::string machine = {}, origin = {};
  std::string stand_in = {};  // "fp16 in place of bf16", where the caller asked for another dtype's
  std::shared_ptr<const MeasuredProducts> products = {};  // null where the file is of another kind
  std::vector<VectorCurve> vectors = {};                  // likewise empty
  std::vector<CollectiveCurve> collectives = {};
  std::vector<CollectiveLaw> laws = {};  // of the same operations, over ranks
  MeasuredPart part = {};                // of another kind of file
};

/// Why the section of a file that holds more says no one thing of a system: `interference` may have no
/// contest that the model knows, `links` several GPUs. Empty where it does.
std::string why_not_applied(const std::string& section);

/// One dtype is never priced by another's times (docs/evidence/fits.md says how far off that is) unless
/// `by_dtype` names the one to take. Throws a usage Error for a file that cannot be read, is of another kind,
/// has nothing of this type, or mixes what cannot be distinguished.
MeasuredTimes read_measured_times(const std::string& path, const PricedTypes& types,
                                  const std::string& by_dtype = {});

/// Reads a file once however often it is asked for: a large one takes longer than a prediction. For one
/// thread at a time.
class MeasuredTimesReader {
 public:
  /// Throws what read_measured_times() throws.
  const MeasuredTimes& read(const std::string& path, const PricedTypes& types, const std::string& by_dtype);

 private:
  std::map<std::tuple<std::string, PricedTypes, std::string>, MeasuredTimes> read_;
};

}  // namespace assay::model
