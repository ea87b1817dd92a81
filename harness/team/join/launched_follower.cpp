// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "harness/team/join/launched_follower.hpp"

#include <chrono>
#include <iostream>
#include <thread>

#include "harness/core/error.hpp"
#include "harness/core/process/exit_code.hpp"
#include "harness/team/join/launched_place.hpp"
#include "harness/team/team.hpp"

namespace assay::team {
namespace {

// Launchers end a whole job as soon as one rank of it fails, and rank 0 may still be asking who is late and
// writing that down. Where it lives, its own end comes first.
constexpr std::chrono::seconds rank_0_writes_first{10};

}  // namespace

std::optional<int> as_launched_follower(const std::string& program, const std::function<void(int)>& follow) {
  try {
    const auto place = launched_place();
    if (!place || place->rank == 0) return std::nullopt;
    follow(place->rank);
    return core::exit_code::pass;
  } catch (const core::Error& error) {
    std::cerr << program + ": " + error.what() + "\n" << std::flush;
    if (dynamic_cast<const PeerLost*>(&error) != nullptr) std::this_thread::sleep_for(rank_0_writes_first);
    if (dynamic_cast<const core::Interrupted*>(&error) != nullptr) return core::exit_code::interrupted;
    return error.kind() == core::ErrorKind::usage ? core::exit_code::usage : core::exit_code::inconclusive;
  }
}

}  // namespace assay::team
