// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "model/fabric/wiring/shared_ends.hpp"

#include <algorithm>
#include <ranges>
#include <utility>

namespace assay::model::fabric::wiring {
namespace {

/// Extra cables that the search for one path has not seen: all of a group's before its first unseen one are
/// seen, so that no cable is looked at more than twice.
class Pairing {
 public:
  explicit Pairing(const SharedEnds& ends)
      : ends_(ends),
        missing_of_(ends.extras),
        seen_(ends.extras, 0),
        first_unseen_(ends.extras_of_group.size()) {}

  std::vector<std::optional<std::size_t>> take() { return std::move(missing_of_); }

  /// Pairs one more missing cable where a path allows it: each on the path wants an extra cable, and the
  /// next one is whose that is.
  void add(std::size_t missing) {
    path_.push_back({missing});
    looked_at_.clear();
    moved_.clear();
    while (!path_.empty()) {
      const std::size_t extra = next_unseen(path_.back().missing);
      if (extra == no_extra) {
        path_.pop_back();
        continue;
      }
      seen_[extra] = 1;
      looked_at_.push_back(extra);
      path_.back().wanted = extra;
      if (!missing_of_[extra]) return shift();
      path_.push_back({*missing_of_[extra]});
    }
    // Without a path there never is one from these: they stay seen.
  }

 private:
  static constexpr std::size_t no_extra = ~std::size_t{0};
  struct Step {
    std::size_t missing = 0, wanted = 0;
  };

  void shift() {
    for (const Step& step : path_) missing_of_[step.wanted] = step.missing;
    path_.clear();
    for (const std::size_t extra : looked_at_) seen_[extra] = 0;
    for (const auto& [group, first] : moved_ | std::views::reverse) first_unseen_[group] = first;
  }

  /// The lowest of both groups.
  std::size_t next_unseen(std::size_t missing) {
    std::size_t next = no_extra;
    for (const std::size_t group : ends_.groups_of_missing[missing]) {
      if (group == SharedEnds::no_group) continue;
      const std::vector<std::size_t>& extras = ends_.extras_of_group[group];
      std::size_t& first = first_unseen_[group];
      const std::size_t before = first;
      while (first < extras.size() && seen_[extras[first]] != 0) ++first;
      if (first > before) moved_.emplace_back(group, before);
      if (first < extras.size()) next = std::min(next, extras[first]);
    }
    return next;
  }

  const SharedEnds& ends_;
  std::vector<std::optional<std::size_t>> missing_of_;
  std::vector<char> seen_;
  std::vector<std::size_t> first_unseen_;  // by group
  std::vector<Step> path_;
  std::vector<std::size_t> looked_at_;
  std::vector<std::pair<std::size_t, std::size_t>> moved_;  // groups, and their first unseen ones before
};

}  // namespace

std::vector<std::optional<std::size_t>> most_pairs(const SharedEnds& ends) {
  Pairing pairing(ends);
  for (std::size_t missing = 0; missing < ends.groups_of_missing.size(); ++missing) pairing.add(missing);
  return pairing.take();
}

}  // namespace assay::model::fabric::wiring
