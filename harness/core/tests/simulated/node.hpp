// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// A pretended node: its folder, its planted faults, and what its GPUs are doing, which all processes share.
// ASSAY_SIMULATED_NODE names the folder, ASSAY_SIMULATED_GPUS says how many GPUs there are,
// ASSAY_SIMULATED_FAULT which faults, ASSAY_SIMULATED_SEED which noise, ASSAY_SIMULATED_SPREAD how much more
// of it single executions have: "0.01:0.005:7", see Node::disturbance(), none where it is not set.
#pragma once

#include <atomic>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace assay::core::simulated {

inline constexpr int most_gpus = 16;

/// A GPU is named by its slot, an adapter by its rail; -1 is none.
struct Faults {
  int slow_gpu = -1;
  double slow_percent = 0;
  int fading_gpu = -1;
  double fading_percent = 0;  // lost over `fading_products`
  int throttling_gpu = -1;    // while all GPUs work
  int wrong_gpu = -1;
  std::uint64_t wrong_once_in = 0;
  int missing_gpu = -1;
  int slow_rail = -1;
  double slow_rail_percent = 0;
  int bad_cable_rail = -1;
  std::uint64_t bad_message_of = 0;  // one of so many messages arrives with errors and is sent again
  std::pair<int, int> crossed_rails = {-1, -1};  // whose cables are exchanged
  int c2c_links = 0;                             // of each GPU, as of a superchip; PCIe then has one lane
  std::string driver = "580.95.05";
  std::vector<std::string> others = {};  // not of a pretended node
};
inline constexpr double fading_products = 400;

/// The CUDA version that NVIDIA's driver of this version offers, as cudaDriverGetVersion writes it: 12020.
int cuda_of_driver(const std::string& driver);

/// A number of mean 0 and standard deviation 1, never beyond 2.5: the sum of twelve that are uniform.
double noise(std::uint64_t seed);

/// "slow:3:4,driver:570.1": what is not such a fault is in `others`.
Faults faults_from(const std::string& text);

/// Activity of a GPU, in a file that all processes of the node map; zeroes at first.
struct GpuActivity {
  std::atomic<std::uint64_t> seen_working_ns{0};                // steady clock
  std::atomic<std::uint64_t> energy_uj{0}, energy_until_ns{0};  // up to the counter's last step
  std::atomic<std::uint64_t> throttled_ns{0}, products{0};
  std::atomic<std::uint32_t> clock_mhz{0}, power_mw{0}, celsius{0};
};

class Node {
 public:
  /// The node that the environment describes, read once a process.
  static Node& shared();

  bool pretends() const { return !folder_.empty(); }
  const std::string& folder() const { return folder_; }
  const Faults& faults() const { return faults_; }
  /// The version of the libcuda that a program of this node loads: of the first folder of LD_LIBRARY_PATH
  /// that has one, else the driver's own.
  std::string libcuda() const;
  /// The number of GPUs that the driver lists.
  int gpus() const { return static_cast<int>(slots_.size()); }
  /// The slot of the GPU of this index.
  int slot_of(int index) const { return slots_.at(static_cast<std::size_t>(index)); }
  static std::string address_of(int slot);  // 0000:10:00.0
  GpuActivity& activity(int slot) { return activity_[slot]; }

  /// The factor on the time of all work on this GPU: noise of GPU and run, and faults.
  double slowness(int slot) const;
  /// A further factor on the time of one execution of work that takes `seconds`: noise with the relative
  /// standard deviations 0.01 of each execution and 0.005 of all executions of the same length (as alignment
  /// has on a real GPU), of seed 7.
  double disturbance(double seconds);
  std::uint64_t seed() const { return seed_; }

 private:
  Node();
  void map_activity();

  std::string folder_;
  Faults faults_;
  std::vector<int> slots_;
  std::uint64_t seed_ = 1;
  double spread_of_executions_ = 0, spread_of_lengths_ = 0;
  std::uint64_t seed_of_executions_ = 0;
  std::atomic<std::uint64_t> executions_{0};
  GpuActivity* activity_ = nullptr;
};

}  // namespace assay::core::simulated
