// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// The routing matrix: which measurement responds to which element, and how. Elements to which all
// measurements respond alike are one class: these data cannot distinguish them.
#pragma once

#include <array>
#include <map>
#include <span>
#include <utility>
#include <vector>

#include "model/fabric/locate/paths/elements.hpp"
#include "model/fabric/locate/paths/known_paths.hpp"
#include "model/fabric/locate/response.hpp"

namespace assay::model::fabric::locate {

/// An entry of the matrix, shared by all elements that the measurement responds to in the same way.
struct Row {
  std::uint32_t measurement = 0, response = 0;
};

class Incidence {
 public:
  /// A measurement with a queue pair of unknown path counts as alone. Throws as known_paths, and where a
  /// measurement has no flow, a flow from a host to itself or a rate that is not above 0.
  Incidence(const Router& router, const Elements& elements, std::span<const Measurement> measurements,
            Concurrency concurrency, QueuePairRule rule = QueuePairRule::slowest);

  /// bytes/us that a sound fabric would give each measurement, by max-min sharing.
  const std::vector<double>& expected() const { return expected_; }
  /// Links from source to destination, of the flow with the most: 2 below one leaf, 4 over a spine, and so
  /// on.
  const std::vector<std::uint32_t>& hops() const { return hops_; }
  const std::vector<Row>& rows() const { return rows_; }  // by measurement
  const Response& response(std::uint32_t row) const { return responses_[rows_[row].response]; }
  std::size_t classes() const { return members_.size(); }
  /// Rising element numbers: links before cables before nodes before machines.
  const std::vector<ElementId>& members(std::size_t of_class) const { return members_[of_class]; }
  const std::vector<std::uint32_t>& rows_of(std::size_t of_class) const { return rows_of_[of_class]; }
  /// Links that no measurement crosses with any probability.
  const std::vector<LinkId>& unseen() const { return unseen_; }

 private:
  using Quantised = std::vector<std::array<int, 3>>;  // probability, slack and share of each outcome
  using Responses = std::vector<std::pair<ElementId, Response>>;  // of a measurement

  void add_known(const Elements& elements, std::span<const KnownCrossing> crossings, std::uint32_t at);
  void add_unknown(const Router& router, const Elements& elements, const Measurement& measurement,
                   std::uint32_t at);
  void add(ElementId element, std::uint32_t measurement, const Response& response);
  std::uint32_t row(std::uint32_t measurement, const Response& response);
  void join_alike(const Elements& elements);

  QueuePairRule rule_;
  std::vector<double> expected_;
  std::vector<std::uint32_t> hops_;
  std::vector<Response> responses_;
  std::map<Quantised, std::uint32_t> response_numbers_;
  std::vector<Row> rows_;
  std::size_t first_row_ = 0;                             // of the measurement that is being added
  std::vector<std::vector<std::uint32_t>> element_rows_;  // while measurements are added
  std::vector<std::vector<ElementId>> members_;
  std::vector<std::vector<std::uint32_t>> rows_of_;
  std::vector<LinkId> unseen_;
};

}  // namespace assay::model::fabric::locate
