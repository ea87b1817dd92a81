// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "model/fit/coefficients_file.hpp"

namespace assay::model::fit {
namespace {

std::string interval(const Coefficient& coefficient) {
  return fmt::format("{:.4g}, 95 % interval {:.4g} to {:.4g}", coefficient.value, coefficient.lower,
                     coefficient.upper);
}

}  // namespace

std::vector<std::string> warnings_of(const std::map<std::string, GemmFit>& fits) {
  std::vector<std::string> warnings;
  for (const auto& [group, fit] : fits)
    for (const Coefficient& coefficient : fit.model.coefficients)
      if (!coefficient.supported)
        warnings.push_back(fmt::format("{}: the rows do not determine {} ({})", group, coefficient.name,
                                       interval(coefficient)));
  return warnings;
}

std::vector<std::string> warnings_of(const CollectiveModels& models) {
  std::vector<std::string> warnings;
  for (const auto& [name, family] : models.families)
    for (const auto& [dtype, curve] : family.curves)
      for (const Segment& segment : curve.segments)
        for (const Coefficient* coefficient : {&segment.latency, &segment.bandwidth})
          if (!coefficient->supported)
            warnings.push_back(
                fmt::format("{},{}: {} rows from {:.0f} to {:.0f} bytes do not determine {} ({})", name,
                            dtype, segment.rows, segment.from_bytes, segment.to_bytes, coefficient->name,
                            interval(*coefficient)));
  return warnings;
}

}  // namespace assay::model::fit
