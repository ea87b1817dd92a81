// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Keeps a team alive at rank 0: formed when first needed, and formed again after a member was lost.
#pragma once

#include <functional>
#include <memory>
#include <utility>

#include "harness/team/team.hpp"

namespace assay::team {

class TeamKeeper {
 public:
  /// `form` makes the team, or throws what keeps it from being made.
  explicit TeamKeeper(std::function<std::unique_ptr<Team>()> form) : form_(std::move(form)) {}

  Team& team() {
    if (!team_) team_ = form_();
    return *team_;
  }
  bool standing() const { return team_ != nullptr; }
  /// After PeerLost: nothing more can be said over this team.
  void disband() { team_.reset(); }

 private:
  std::function<std::unique_ptr<Team>()> form_;
  std::unique_ptr<Team> team_;
};

}  // namespace assay::team
