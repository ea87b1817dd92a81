// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Values by key, in the order in which their keys first came.
#pragma once

#include <cstddef>
#include <map>
#include <utility>
#include <vector>

namespace assay::core {

template <class Key, class Value>
class InOrder {
 public:
  using Entries = std::vector<std::pair<Key, Value>>;

  /// Made where the key is new.
  Value& operator[](const Key& key) {
    const auto [place, fresh] = places_.try_emplace(key, entries_.size());
    if (fresh) entries_.emplace_back(key, Value());
    return entries_[place->second].second;
  }
  std::size_t size() const { return entries_.size(); }
  bool empty() const { return entries_.empty(); }
  typename Entries::const_iterator begin() const { return entries_.begin(); }
  typename Entries::const_iterator end() const { return entries_.end(); }
  /// The entries themselves; nothing is left.
  Entries take() { return std::exchange(entries_, {}); }

 private:
  std::map<Key, std::size_t> places_;
  Entries entries_;
};

}  // namespace assay::core
