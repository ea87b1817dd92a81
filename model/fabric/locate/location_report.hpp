// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// A location for people and for programs: which elements are slow, how sure that is, what to measure next.
#pragma once

#include <string>
#include <vector>

#include "model/fabric/locate/next_pairs.hpp"

namespace assay::model::fabric::locate {

struct LocationReport {
  const Router* router = nullptr;
  const Elements* elements = nullptr;
  const Incidence* incidence = nullptr;
  Location location;
  std::vector<std::vector<NextPair>> next;  // of each suspect
  std::size_t measurements = 0;
  std::size_t flows = 0, known_paths = 0;  // flows measured, and those whose paths are known
  std::string origin = "measured";         // of the measurements
  Concurrency concurrency = Concurrency::alone;
  QueuePairRule rule = QueuePairRule::slowest;
  std::string ports_left_out = {};        // why, where ports are recorded and say nothing of paths
  bool addresses_assumed = false;         // of hosts, that paths follow from
  std::vector<std::string> assumed = {};  // of the topology, a sentence each
};

/// Locates, and finds the next pairs of each suspect that is not known for sure: what else could take its
/// place has a probability of 1 in 20 or more. All must outlive the report. Throws as locate().
LocationReport locate_and_report(const Router& router, const Elements& elements, const Incidence& incidence,
                                 std::span<const Measurement> measurements,
                                 const LocateSettings& settings = {}, const NextPairSettings& next = {});

/// How many measurements cross it.
std::size_t crossing(const LocationReport& report, const Alternative& one);
/// Names of the elements of its class but `named`, the first few: "leaf3>spine1, leaf3>spine2 and 14 more".
/// Empty where it is alone.
std::string not_distinguished(const LocationReport& report, const Alternative& one, ElementId named);
/// "link leaf3>spine1: factor 0.800, probability 0.010"
std::string text_of(const LocationReport& report, const Alternative& one);
/// "host1 to host9, UDP source port 49162, destination QP 17: 0.92 bits"
std::string text_of(const LocationReport& report, const NextPair& pair);

/// The answer in a sentence first.
std::string to_text(const LocationReport& report);
/// One JSON object and a line feed.
std::string to_json(const LocationReport& report);

}  // namespace assay::model::fabric::locate
