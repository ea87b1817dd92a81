// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Rank 0 of a team whose other rank is a thread of this process: this host's device against itself.
#pragma once

#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "harness/team/lockstep.hpp"

namespace assay::rdma {

class LoopbackTeam final : public team::Team {
 public:
  explicit LoopbackTeam(team::CasesOf cases_of);
  ~LoopbackTeam() override;

  int rank() const override { return 0; }
  int size() const override { return 2; }
  std::string host_of(int) const override { return host_; }
  std::string broadcast(std::string text, double limit_s) override {
    return first_->broadcast(std::move(text), limit_s);
  }
  std::vector<std::string> gather(std::string text, double limit_s) override {
    return first_->gather(std::move(text), limit_s);
  }
  void arrive() override { first_->arrive(); }
  bool all_arrived() override { return first_->all_arrived(); }
  void rest(double limit_s) override { first_->rest(limit_s); }

 private:
  team::CasesOf cases_of_;
  std::string host_;
  std::unique_ptr<team::Team> first_;
  std::thread second_;
};

}  // namespace assay::rdma
