// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "model/fabric/site/port_choice.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <map>
#include <set>
#include <utility>

#include "harness/core/error.hpp"

namespace assay::model::fabric::site {

namespace {

std::set<std::string> switches_reached(const std::vector<SiteCable>& cables) {
  std::map<std::string, std::vector<std::string>> beyond;
  std::set<std::string> reached;
  std::vector<std::string> next;
  for (const SiteCable& cable : cables) {
    const SiteEnd &one = cable.one, &other = cable.other;
    beyond[one.node].push_back(other.node);
    beyond[other.node].push_back(one.node);
    if (one.is_switch != other.is_switch) next.push_back(one.is_switch ? one.node : other.node);
  }
  while (!next.empty()) {
    const std::string here = std::move(next.back());
    next.pop_back();
    if (!reached.insert(here).second) continue;
    for (const std::string& node : beyond[here]) next.push_back(node);
  }
  return reached;
}

}  // namespace

bool PortChoice::takes(const std::vector<std::string>& names) {
  if (!choose_) return true;
  const bool is_taken = std::ranges::any_of(names, std::cref(choose_));
  if (is_taken)
    ++taken_;
  else
    not_taken_.add(names.front());
  return is_taken;
}

void PortChoice::leave_out(const SiteEnd& one, const SiteEnd& other) {
  for (const SiteEnd* end : {&one, &other})
    if (end->is_switch) switches_.insert(end->node);
}

void PortChoice::refuse_none(const std::string& file) const {
  if (taken_ == 0 && not_taken_.count > 0)
    core::usage_error(fmt::format("{}: --ports chooses none of its {}: expected a glob over names such as {}",
                                  file, not_taken_.text("port"), not_taken_.first));
}

std::vector<SiteCable> PortChoice::reached(std::vector<SiteCable> cables) {
  if (not_taken_.count == 0) return cables;
  const std::set<std::string> kept = switches_reached(cables);
  std::erase_if(cables, [&](const SiteCable& cable) {
    if (!cable.one.is_switch || !cable.other.is_switch || kept.contains(cable.one.node)) return false;
    leave_out(cable.one, cable.other);
    return true;
  });
  for (const std::string& name : switches_)
    if (!kept.contains(name)) not_reached_.add(name);
  return cables;
}

void PortChoice::report(SiteFabric& site) const {
  if (not_taken_.count > 0)
    site.notes.push_back(fmt::format("left out {} that --ports does not choose ({})", not_taken_.text("port"),
                                     not_taken_.first));
  if (not_reached_.count > 0)
    site.notes.push_back(fmt::format("left out switches that no chosen port reaches: {} ({})",
                                     not_reached_.count, not_reached_.first));
}

}  // namespace assay::model::fabric::site
