// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "model/fabric/wiring/match_nets.hpp"

#include <algorithm>
#include <optional>
#include <queue>
#include <random>
#include <set>
#include <tuple>
#include <unordered_map>

#include "model/fabric/wiring/surroundings.hpp"

namespace assay::model::fabric::wiring {
namespace {

constexpr std::uint32_t recoloured_matches = 24;  // in the beginning, where most choices are open

std::uint64_t difference(std::size_t one, std::size_t other) {
  return one > other ? one - other : other - one;
}

std::size_t cables_of(const WiredNet& net, std::uint32_t at) {
  std::size_t sum = 0;
  for (const auto& [neighbour, cables] : net.neighbours[at]) sum += cables;
  for (const auto& [label, hosts] : net.hosts[at]) sum += hosts.size();
  return sum;
}

/// Hosts of the switch of the plan that are not at that of the site, and the other way round.
std::uint64_t host_faults(const WiredNet& plan, std::uint32_t one, const WiredNet& site,
                          std::uint32_t other) {
  std::uint64_t faults = 0;
  const auto count = [](const auto& hosts, const std::string& label) {
    const auto found = hosts.find(label);
    return found == hosts.end() ? std::size_t{0} : found->second.size();
  };
  for (const auto& [label, hosts] : plan.hosts[one])
    faults += difference(hosts.size(), count(site.hosts[other], label));
  for (const auto& [label, hosts] : site.hosts[other])
    if (!plan.hosts[one].contains(label)) faults += hosts.size();
  return faults;
}

/// A match that grows from a first pair.
class GrowingMatch {
 public:
  GrowingMatch(const WiredNet& plan, const WiredNet& site, std::uint64_t seed)
      : plan_(plan),
        site_(site),
        site_of_(plan.switches(), unmatched),
        plan_of_(site.switches(), unmatched),
        random_(seed) {}

  void grow(const std::vector<std::pair<std::uint32_t, std::uint32_t>>& anchors) {
    for (const auto& [one, other] : anchors) match(one, other);
    recolour();
    for (bool is_growing = true; is_growing;) {
      if (const auto next = best_open())
        match(next->first, next->second);
      else
        is_growing = start_anew();
    }
  }

  std::vector<std::uint32_t> take() { return std::move(site_of_); }

 private:
  using Pair = std::pair<std::uint32_t, std::uint32_t>;
  /// Votes, rounds alike, cables that agree, a draw; and the pair.
  using Candidate = std::tuple<std::uint32_t, std::uint32_t, std::int64_t, std::uint64_t, Pair>;

  Candidate candidate(std::uint32_t votes, Pair pair) {
    return {
        votes, SwitchColours::alike(*plan_colours_, pair.first, *site_colours_, pair.second),
        -static_cast<std::int64_t>(difference(cables_of(plan_, pair.first), cables_of(site_, pair.second)) +
                                   host_faults(plan_, pair.first, site_, pair.second)),
        random_(), pair};
  }

  std::optional<Pair> best_open() {
    while (!open_.empty()) {
      const Pair pair = std::get<Pair>(open_.top());
      open_.pop();
      if (site_of_[pair.first] == unmatched && plan_of_[pair.second] == unmatched) return pair;
    }
    return std::nullopt;
  }

  void match(std::uint32_t one, std::uint32_t other) {
    site_of_[one] = other;
    plan_of_[other] = one;
    ++matches_;
    const bool recolours = plan_colours_ && matches_ < recoloured_matches;
    for (const auto& [plan_next, plan_cables] : plan_.neighbours[one]) {
      if (site_of_[plan_next] != unmatched) continue;
      for (const auto& [site_next, site_cables] : site_.neighbours[other]) {
        if (plan_of_[site_next] != unmatched) continue;
        const std::uint32_t votes = votes_[key({plan_next, site_next})] += std::min(plan_cables, site_cables);
        if (plan_colours_ && !recolours) open_.push(candidate(votes, {plan_next, site_next}));
      }
    }
    if (recolours) recolour();
  }

  static std::uint64_t key(Pair pair) { return std::uint64_t{pair.first} << 32U | pair.second; }

  void recolour() {
    std::vector<std::uint64_t> plan_marks(plan_.switches(), 0), site_marks(site_.switches(), 0);
    for (std::uint32_t one = 0; one < plan_.switches(); ++one)
      if (site_of_[one] != unmatched) plan_marks[one] = site_marks[site_of_[one]] = one + 1;
    plan_colours_.emplace(plan_, plan_marks);
    site_colours_.emplace(site_, site_marks);
    open_ = {};
    for (const auto& [pair, votes] : votes_) {
      const Pair own{static_cast<std::uint32_t>(pair >> 32U), static_cast<std::uint32_t>(pair)};
      if (site_of_[own.first] == unmatched && plan_of_[own.second] == unmatched)
        open_.push(candidate(votes, own));
    }
  }

  /// The pair that is most alike among those of the switch of the plan with most cables.
  bool start_anew() {
    std::optional<Candidate> best;
    std::vector<std::uint32_t> left;  // of the plan
    for (std::uint32_t one = 0; one < plan_.switches(); ++one)
      if (site_of_[one] == unmatched) left.push_back(one);
    if (left.empty()) return false;
    const std::uint32_t one = left[random_() % left.size()];
    for (std::uint32_t other = 0; other < site_.switches(); ++other)
      if (plan_of_[other] == unmatched)
        if (const Candidate own = candidate(0, {one, other}); !best || own > *best) best = own;
    if (!best) return false;
    match(one, std::get<Pair>(*best).second);
    return true;
  }

  const WiredNet &plan_, &site_;
  std::vector<std::uint32_t> site_of_, plan_of_;
  std::unordered_map<std::uint64_t, std::uint32_t> votes_;
  std::priority_queue<Candidate> open_;
  std::optional<SwitchColours> plan_colours_, site_colours_;
  std::uint32_t matches_ = 0;
  std::mt19937_64 random_;
};

std::uint64_t switch_faults(const WiredNet& plan, const WiredNet& site,
                            const std::vector<std::uint32_t>& site_of, std::uint32_t one) {
  const std::uint32_t own = site_of[one];
  if (own == unmatched) return cables_of(plan, one);
  std::uint64_t faults = host_faults(plan, one, site, own);
  std::size_t matched = 0;
  for (const auto& [next, cables] : plan.neighbours[one]) {
    const std::size_t there = site_of[next] == unmatched ? 0 : site.cables_between(own, site_of[next]);
    faults += difference(cables, there);
    matched += there;
  }
  std::size_t all = 0;
  for (const auto& [next, cables] : site.neighbours[own]) all += cables;
  return faults + all - matched;
}

/// Exchanges the partners of two switches where that leaves fewer faults, until none does.
void improve(const WiredNet& plan, const WiredNet& site, std::vector<std::uint32_t>& site_of) {
  const auto of = [&](std::uint32_t one) { return switch_faults(plan, site, site_of, one); };
  std::vector<std::uint64_t> faults(plan.switches());  // while no partner changes
  const auto count = [&] {
    for (std::uint32_t one = 0; one < plan.switches(); ++one) faults[one] = of(one);
  };
  count();
  for (bool is_better = true; is_better;) {
    is_better = false;
    for (std::uint32_t one = 0; one < plan.switches(); ++one) {
      if (faults[one] < 2) continue;
      for (std::uint32_t other = 0; other < plan.switches(); ++other) {
        const std::uint64_t before = faults[one] + faults[other];
        if (site_of[other] == site_of[one] || before <= 2) continue;
        std::swap(site_of[one], site_of[other]);
        if (of(one) + of(other) < before) {
          is_better = true;
          count();
          break;
        }
        std::swap(site_of[one], site_of[other]);
      }
    }
  }
}

/// Switches with hosts' names in common: each with the one that shares most.
std::vector<std::pair<std::uint32_t, std::uint32_t>> anchors_of(const WiredNet& plan, const WiredNet& site) {
  std::map<std::string, std::set<std::uint32_t>> at;
  for (std::uint32_t other = 0; other < site.switches(); ++other)
    for (const auto& [label, hosts] : site.hosts[other]) at[label].insert(other);
  std::vector<std::tuple<std::size_t, std::uint32_t, std::uint32_t>> shared;
  for (std::uint32_t one = 0; one < plan.switches(); ++one) {
    std::map<std::uint32_t, std::size_t> common;
    for (const auto& [label, hosts] : plan.hosts[one])
      if (const auto found = at.find(label); found != at.end() && found->second.size() == 1)
        ++common[*found->second.begin()];
    for (const auto& [other, count] : common) shared.emplace_back(count, one, other);
  }
  std::ranges::sort(shared, std::greater<>());
  std::set<std::uint32_t> plan_taken, site_taken;
  std::vector<std::pair<std::uint32_t, std::uint32_t>> anchors;
  for (const auto& [count, one, other] : shared)
    if (!plan_taken.contains(one) && !site_taken.contains(other)) {
      plan_taken.insert(one);
      site_taken.insert(other);
      anchors.emplace_back(one, other);
    }
  return anchors;
}

/// Pairs without faults of a match, each kept by a draw. A switch of the plan without cables has no faults,
/// but no partner either where the site has fewer switches.
std::vector<std::pair<std::uint32_t, std::uint32_t>> part_of(const WiredNet& plan, const WiredNet& site,
                                                             const std::vector<std::uint32_t>& site_of,
                                                             std::mt19937_64& random) {
  std::vector<std::pair<std::uint32_t, std::uint32_t>> part;
  const std::uint64_t kept_of_8 = 1 + random() % 7;
  for (std::uint32_t one = 0; one < plan.switches(); ++one)
    if (site_of[one] != unmatched && switch_faults(plan, site, site_of, one) == 0 && random() % 8 < kept_of_8)
      part.emplace_back(one, site_of[one]);
  return part;
}

}  // namespace

std::uint64_t faults_of(const WiredNet& plan, const WiredNet& site,
                        const std::vector<std::uint32_t>& site_of) {
  std::uint64_t lacking = 0, all = 0, common = 0;
  for (const auto& [ends, links] : plan.cables) {
    const std::uint32_t one = site_of[ends.first], other = site_of[ends.second];
    const std::size_t there = one == unmatched || other == unmatched ? 0 : site.cables_between(one, other);
    lacking += links.size() - std::min(links.size(), there);
    common += std::min(links.size(), there);
  }
  for (const auto& [ends, links] : site.cables) all += links.size();
  std::set<std::uint32_t> taken;
  std::uint64_t hosts = 0;
  for (std::uint32_t one = 0; one < plan.switches(); ++one) {
    if (site_of[one] != unmatched) taken.insert(site_of[one]);
    if (site_of[one] != unmatched)
      hosts += host_faults(plan, one, site, site_of[one]);
    else
      for (const auto& [label, own] : plan.hosts[one]) hosts += own.size();
  }
  for (std::uint32_t other = 0; other < site.switches(); ++other)
    if (!taken.contains(other))
      for (const auto& [label, own] : site.hosts[other]) hosts += own.size();
  return lacking + all - common + hosts;
}

NetMatch match_nets(const WiredNet& plan, const WiredNet& site, const MatchSettings& settings) {
  const auto anchors = anchors_of(plan, site);
  NetMatch best;
  std::mt19937_64 seeds(settings.seed);
  const std::size_t size = plan.cables.size() + site.cables.size() + 1;
  const std::size_t worth =
      std::min<std::size_t>(std::max<std::size_t>(4'000'000 / size, 4), settings.most_starts);
  const std::size_t patience =
      std::clamp<std::size_t>(100'000 / size, 8, 512);  // starts without a better match
  std::size_t last_better = 0;
  for (best.starts = 0; best.starts < worth && best.starts < last_better + patience;) {
    GrowingMatch match(plan, site, seeds());
    match.grow(best.starts % 2 == 0 ? anchors : part_of(plan, site, best.site_of, seeds));
    std::vector<std::uint32_t> site_of = match.take();
    if (faults_of(plan, site, site_of) > 0) improve(plan, site, site_of);
    const std::uint64_t faults = faults_of(plan, site, site_of);
    ++best.starts;
    if (best.site_of.empty() || faults < best.faults) {
      best.faults = faults;
      last_better = best.starts;
      best.site_of = std::move(site_of);
    }
    if (best.faults == 0) break;
  }
  return best;
}

}  // namespace assay::model::fabric::wiring
