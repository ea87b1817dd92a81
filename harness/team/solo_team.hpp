// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// A team of one: every call returns at once.
#pragma once

#include <string>
#include <utility>

#include "harness/team/team.hpp"

namespace assay::team {

class SoloTeam final : public Team {
 public:
  explicit SoloTeam(std::string host) : host_(std::move(host)) {}

  int rank() const override { return 0; }
  int size() const override { return 1; }
  std::string host_of(int) const override { return host_; }
  std::string broadcast(std::string text, double) override { return text; }
  std::string reduce(std::string text, const Reduction&, double) override { return text; }
  void arrive() override {}
  bool all_arrived() override { return true; }
  void rest(double) override {}

 private:
  std::string host_;
};

}  // namespace assay::team
