// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Layout of a step's transfers in the near memory (the GPU's) and in the far one (the host's). Every transfer
// has a target of its own; what is brought back is read from where it was sent to.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "harness/training/host_traffic.hpp"

namespace assay::offload {

class StepLayout {
 public:
  struct Place {
    std::int64_t from = 0, to = 0;  // of the memory that the direction says
    std::size_t content = 0;        // the transfer whose pattern it carries
  };

  explicit StepLayout(const training::HostStep& step);

  const Place& place(std::size_t transfer) const { return places_[transfer]; }
  std::int64_t near_bytes() const { return near_bytes_; }
  std::int64_t far_bytes() const { return far_bytes_; }

  /// Sources get their patterns; the rest stays.
  void fill(std::span<std::byte> near, std::span<std::byte> far) const;
  /// Names what is not at its target; empty where all is.
  std::optional<std::string> wrong(std::span<const std::byte> near, std::span<const std::byte> far) const;

 private:
  const training::HostStep& step_;
  std::vector<Place> places_;
  std::int64_t near_bytes_ = 0, far_bytes_ = 0;
};

}  // namespace assay::offload
