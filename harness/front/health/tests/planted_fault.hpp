// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// A healthy machine with a fault planted in it, from a row of tests/faults/*.toml, and the check of it.
#pragma once

#include <nlohmann/json.hpp>
#include <ostream>
#include <string>
#include <vector>

#include "harness/core/text/toml_text.hpp"
#include "harness/front/health/finding.hpp"
#include "harness/machine/tests/fake_node.hpp"

namespace assay::health {

struct PlantedFault {
  std::string name;
  toml::table row;
  friend std::ostream& operator<<(std::ostream& out, const PlantedFault& fault) { return out << fault.name; }
};

std::vector<PlantedFault> planted_faults(const std::string& file);

/// A machine on which checks can be made, one after the other.
class Patient {
 public:
  explicit Patient(const std::string& tree);

  /// Changes files, GPUs and the log as `change` says.
  void plant(const toml::table& change);
  /// Lines "key = value" that go over the tree's own expectation.
  void expect(const std::string& lines);
  /// Units are then held against each other alone.
  void forget_expectation();
  /// One check; `meanwhile` happens between its two readings where there is no logbook yet.
  std::vector<Finding> check(const toml::table& meanwhile = {});

  machine::FakeNode& node() { return node_; }
  nlohmann::json& gpus() { return gpus_; }
  std::string logbook() const { return node_.root() + "/health.json"; }

 private:
  void plant_nvlinks(const toml::table& change);
  /// Single bytes of files, by place.
  void plant_bytes(const toml::table& change);
  void append_log(const toml::table& change);
  std::string path(std::string alias) const;

  std::string tree_, expectation_;
  machine::FakeNode node_;
  nlohmann::json gpus_;
  int next_record_ = 3;
};

}  // namespace assay::health
