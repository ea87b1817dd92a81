// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// The measured times that a prediction rests on, and where the measurements do not support that: sizes that
// were not measured, coefficients that the rows do not determine, machines that are not one.
#pragma once

#include <array>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "model/predict/answer/prediction.hpp"
#include "model/predict/measured/measured_collective.hpp"
#include "model/predict/measured/measured_law.hpp"
#include "model/predict/measured/measured_products.hpp"
#include "model/predict/measured/measured_vector.hpp"

namespace assay::model {

/// The measured times that one prediction rests on, or several predictions in one list.
class MeasuredUse {
 public:
  /// Evaluates the configuration once more and keeps what it asks of its measured times.
  void add(const Configuration& configuration);

  /// A line for each kind: of every collective and vector kernel the sizes beyond those measured and the
  /// segments without support, the numbers of ranks that a law stands for, the same of products, and files of
  /// different machines. Empty where nothing is wrong.
  std::vector<std::string> warnings() const;

  struct Place {
    std::size_t tier;
    Collective operation;
    double members;
    std::string path;
    auto operator<=>(const Place&) const = default;
  };
  struct AskedCollective {
    std::shared_ptr<const MeasuredCollective> source;
    std::set<double> sizes;  // bytes
  };
  struct AskedLaw {
    std::shared_ptr<const MeasuredLaw> source;
    std::map<double, std::set<double>> sizes;  // bytes, by members
  };
  struct AskedProducts {
    std::shared_ptr<const MeasuredProducts> source;
    const MeasuredGroup* group = nullptr;    // of `source`
    std::set<std::array<double, 4>> shapes;  // m, n, k, batch
  };
  struct AskedVector {
    std::shared_ptr<const MeasuredVector> source;
    double measured_row = 0;
    std::set<double> sizes, rows;  // bytes of a tensor; elements of a row, where they matter
  };

 private:
  std::map<Place, AskedCollective> collectives_;
  /// Each records what is asked of measured times of the system from now on.
  void watch_products(System& system);
  void watch_vectors(System& system);
  void watch_networks(System& system);
  AskedProducts& ask_of(const std::shared_ptr<const MeasuredProducts>& source, const MeasuredGroup& group);

  std::map<std::tuple<std::size_t, Collective, std::string>, AskedLaw> laws_;  // tier, operation, file
  std::map<std::pair<std::string, std::string>, AskedProducts> products_;      // by file and group
  std::map<std::string, AskedVector> vectors_;  // by file and name of the curve
};

/// The warnings of one prediction.
std::vector<std::string> warnings(const Configuration& configuration);

}  // namespace assay::model
