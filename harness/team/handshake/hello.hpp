// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// The first messages between two members, before anything starts, and what has to agree.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace assay::team {

/// Counts up with every change of what travels between members.
inline constexpr int wire_protocol = 3;

struct Hello {
  std::string host;     // as the host calls itself
  std::string version;  // of assay
  int protocol = wire_protocol;
  /// name and value, e.g. {"plan", digest}. Compared where both sides state the name.
  std::vector<std::pair<std::string, std::string>> options;
};

/// This host's name and this build's version.
Hello hello_of_this_host(std::vector<std::pair<std::string, std::string>> options = {});

/// Empty where both agree, else one line: what differs, both values, what to do.
std::string disagreement(const Hello& mine, const Hello& theirs);

/// A member's first message when it connects. A leader that dials gives rank 0 and its size; a listening
/// follower answers with rank -1.
struct Introduction {
  Hello hello;
  int rank = -1;
  int size = 0;
  int port = 0;  // where the ranks below it in the tree of the team call; 0: it has none
};

/// disagreement() about the size of the team, where all were started by one launcher.
std::string different_size(const Introduction& theirs, int size);

std::string to_text(const Introduction& introduction);
/// Throws core::Error (team) for text that is not an introduction.
Introduction introduction_from(std::string_view text);

}  // namespace assay::team
