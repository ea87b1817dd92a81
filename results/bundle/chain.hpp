// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// What shows that members of a bundle are as they were: SHA256SUMS, which `sha256sum -c` reads, and CHAIN, in
// which each line is the digest of the line before and of the next member. The last of these is the seal: who
// keeps it elsewhere can tell a bundle that someone made anew.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "results/bundle/tar.hpp"

namespace assay::results {

/// Adds SHA256SUMS and CHAIN behind the members; returns the seal.
std::string add_chain(std::vector<Member>& members);

/// Of members with their chain. Throws std::runtime_error with one line naming the member that was altered,
/// lost or added.
std::string require_intact(std::span<const Member> members, const std::string& where);

}  // namespace assay::results
