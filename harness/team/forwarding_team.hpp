// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// A team that forwards to another one, for classes that keep something else alive with it.
#pragma once

#include <cstdlib>
#include <memory>
#include <string>
#include <utility>

#include "harness/team/team.hpp"

namespace assay::team {

class ForwardingTeam : public Team {
 public:
  int rank() const override { return beneath_->rank(); }
  int size() const override { return beneath_->size(); }
  std::string host_of(int rank) const override { return beneath_->host_of(rank); }
  const Trust& trust() const override { return beneath_->trust(); }
  std::string broadcast(std::string text, double limit_s) override {
    return beneath_->broadcast(std::move(text), limit_s);
  }
  std::string reduce(std::string text, const Reduction& reduction, double limit_s) override {
    return beneath_->reduce(std::move(text), reduction, limit_s);
  }
  void arrive() override { beneath_->arrive(); }
  bool all_arrived() override { return beneath_->all_arrived(); }
  void rest(double limit_s) override { beneath_->rest(limit_s); }
  [[noreturn]] void barrier_timed_out(double limit_s) override {
    beneath_->barrier_timed_out(limit_s);
    std::abort();  // never reached; g++ forgets that a virtual function does not return
  }

 protected:
  void forward_to(std::unique_ptr<Team> team) { beneath_ = std::move(team); }
  /// The other ranks see that they have no leader any more. For destructors that then wait for those.
  void leave() { beneath_.reset(); }

 private:
  std::unique_ptr<Team> beneath_;
};

}  // namespace assay::team
