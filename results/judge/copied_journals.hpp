// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Whether what two hosts, or two runs of one host, measured is one measurement under two names: no two
// measurements give the same samples, digit by digit. Finds machines that tell no serial numbers.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "results/store/store.hpp"

namespace assay::results {

class CopiedJournals {
 public:
  explicit CopiedJournals(const Store& store) : store_(store) {}

  /// Of one point of a host in a run. `point`: case and key; `id`: of its row in the store.
  void add(const std::string& run_id, const std::string& host, std::string_view point, std::int64_t id,
           std::span<const double> samples_s);
  /// One line for each two runs that share more samples than chance explains. Forgets what was added.
  std::vector<std::string> finish();

 private:
  struct Source {
    std::string run_id, host;
  };
  struct Seen {
    std::uint64_t hash = 0;  // of point and samples
    std::int64_t id = 0;
    std::uint32_t source = 0;
  };
  struct Shared {
    std::size_t points = 0;
    double bits = 0;
  };
  std::uint32_t source_of(const std::string& run_id, const std::string& host);
  std::string line_of(const Source& one, const Source& other, std::size_t points) const;

  const Store& store_;
  std::vector<Source> sources_;
  std::map<std::pair<std::string, std::string>, std::uint32_t> numbers_;
  std::vector<Seen> seen_;
};

}  // namespace assay::results
