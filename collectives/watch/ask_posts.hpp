// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Asks many posts at once, so that those who are silent cost their limit only once.
#pragma once

#include <string>
#include <vector>

#include "collectives/watch/watch_post.hpp"

namespace assay::collectives {

struct PostAnswer {
  std::string text = {};    // all that it said
  std::string silent = {};  // why it said nothing: "does not answer: ..."; empty where it did
};

/// Says `word` ("look", "give_up") to every post and returns what each answered within the limit. Never
/// throws for a post.
std::vector<PostAnswer> ask_posts(const std::vector<PostPlace>& places, const std::string& word,
                                  double limit_s);

}  // namespace assay::collectives
