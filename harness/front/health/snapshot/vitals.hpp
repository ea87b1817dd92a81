// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Readings of a node at work: temperature, clock, power and energy of its GPUs, energy of its host, bits that
// its links moved and the errors their receivers counted. Read over and over, not judged here.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "harness/machine/nvml/nvml.hpp"
#include "harness/machine/tree.hpp"

namespace assay::health {

struct Vital {
  std::string unit;              // "GPU 3 0000:4b:00.0", "GPU 3 0000:4b:00.0 NVLinks", "mlx5_2/1"
  std::string kind;              // temperature_c, power_w, sm_clock_mhz, energy_j, moved_bits, link_errors
  std::optional<double> value;   // of energy_j, moved_bits and link_errors: what only ever counts up
  std::string why_unknown = {};  // why there is no value
};

class VitalsReader {
 public:
  /// `root` is prefixed to /sys. `nvml` outlives the reader.
  VitalsReader(const std::string& root, const machine::Nvml& nvml) : tree_(root), root_(root), nvml_(nvml) {}

  /// Never throws for what it cannot read.
  std::vector<Vital> read();

 private:
  void read_gpus(std::vector<Vital>& vitals) const;
  void read_ports(std::vector<Vital>& vitals) const;
  void read_packages(std::vector<Vital>& vitals);

  /// A counter of energy that begins again at its range.
  struct Package {
    std::uint64_t last = 0, wrapped = 0;
  };
  machine::Tree tree_;
  std::string root_;
  const machine::Nvml& nvml_;
  std::map<std::string, Package> packages_;
};

}  // namespace assay::health
