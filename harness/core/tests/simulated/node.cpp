// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "harness/core/tests/simulated/node.hpp"

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cinttypes>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <sstream>
#include <string_view>
#include <system_error>

#include "harness/core/mix.hpp"
#include "harness/core/tests/simulated/h100.hpp"

namespace assay::core::simulated {
namespace {

std::string variable(const char* name) {
  const char* const text = std::getenv(name);
  return text == nullptr ? "" : text;
}

std::vector<std::string> parts(const std::string& text, char separator) {
  std::vector<std::string> all;
  std::istringstream rest(text);
  for (std::string part; std::getline(rest, part, separator);) all.push_back(part);
  return all;
}

bool take(Faults& faults, const std::string& name, const std::vector<std::string>& words) {
  const auto slot = [&] { return std::atoi(words.at(1).c_str()); };
  if (name == "slow" && words.size() == 3)
    faults.slow_gpu = slot(), faults.slow_percent = std::atof(words[2].c_str());
  else if (name == "fades" && words.size() == 3)
    faults.fading_gpu = slot(), faults.fading_percent = std::atof(words[2].c_str());
  else if (name == "throttles_together" && words.size() == 2)
    faults.throttling_gpu = slot();
  else if (name == "wrong_once_in" && words.size() == 3)
    faults.wrong_gpu = slot(), faults.wrong_once_in = std::strtoull(words[2].c_str(), nullptr, 10);
  else if (name == "missing" && words.size() == 2)
    faults.missing_gpu = slot();
  else if (name == "c2c" && words.size() == 2)
    faults.c2c_links = slot();
  else if (name == "driver" && words.size() == 2)
    faults.driver = words[1];
  else if (name == "rail_slow" && words.size() == 3)
    faults.slow_rail = slot(), faults.slow_rail_percent = std::atof(words[2].c_str());
  else if (name == "cable_errors" && words.size() == 3)
    faults.bad_cable_rail = slot(), faults.bad_message_of = std::strtoull(words[2].c_str(), nullptr, 10);
  else if (name == "crosswise" && words.size() == 3)
    faults.crossed_rails = {slot(), std::atoi(words[2].c_str())};
  else
    return name == "pcie_width" && words.size() == 3;  // is in the tree of files
  return true;
}

}  // namespace

int cuda_of_driver(const std::string& driver) {
  // Branch of the driver and CUDA: NVIDIA's CUDA Toolkit release notes, CUDA toolkit and driver versions.
  constexpr std::array<std::pair<int, int>, 11> first_of{{{525, 12000},
                                                          {530, 12010},
                                                          {535, 12020},
                                                          {545, 12030},
                                                          {550, 12040},
                                                          {555, 12050},
                                                          {560, 12060},
                                                          {570, 12080},
                                                          {575, 12090},
                                                          {580, 13000},
                                                          {590, 13010}}};
  int cuda = 11080;
  for (const auto& [branch, version] : first_of)
    if (std::atoi(driver.c_str()) >= branch) cuda = version;
  return cuda;
}

double noise(std::uint64_t seed) {
  double sum = -6;
  for (int i = 0; i < 12; ++i)
    sum += static_cast<double>(mix64(seed + static_cast<std::uint64_t>(i) * 977) >> 11) * 0x1p-53;
  return std::clamp(sum, -2.5, 2.5);
}

Faults faults_from(const std::string& text) {
  Faults faults;
  for (const std::string& fault : parts(text, ',')) {
    const std::vector<std::string> words = parts(fault, ':');
    if (words.empty() || !take(faults, words.front(), words)) faults.others.push_back(fault);
  }
  return faults;
}

Node& Node::shared() {
  static Node one;
  return one;
}

Node::Node()
    : folder_(variable("ASSAY_SIMULATED_NODE")), faults_(faults_from(variable("ASSAY_SIMULATED_FAULT"))) {
  const std::string gpus = variable("ASSAY_SIMULATED_GPUS"), seed = variable("ASSAY_SIMULATED_SEED");
  const int count = gpus.empty() ? (pretends() ? 8 : 1) : std::clamp(std::atoi(gpus.c_str()), 0, most_gpus);
  for (int slot = 0; slot < count; ++slot)
    if (slot != faults_.missing_gpu) slots_.push_back(slot);
  if (!seed.empty()) seed_ = std::strtoull(seed.c_str(), nullptr, 10);
  const std::string spread = variable("ASSAY_SIMULATED_SPREAD");
  std::sscanf(spread.c_str(), "%lf:%lf:%" SCNu64, &spread_of_executions_, &spread_of_lengths_,
              &seed_of_executions_);
  map_activity();
}

void Node::map_activity() {
  constexpr std::size_t bytes = most_gpus * sizeof(GpuActivity);
  int file = -1;
  if (pretends()) file = open((folder_ + "/gpu_activity").c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0644);
  if (file >= 0 && ftruncate(file, bytes) != 0) std::abort();
  void* const mapped = mmap(nullptr, bytes, PROT_READ | PROT_WRITE,
                            file >= 0 ? MAP_SHARED : MAP_PRIVATE | MAP_ANONYMOUS, file, 0);
  if (file >= 0) close(file);
  if (mapped == MAP_FAILED) std::abort();
  activity_ = static_cast<GpuActivity*>(mapped);  // all zero, as a new one is
}

std::string Node::libcuda() const {
  for (const std::string& folder : parts(variable("LD_LIBRARY_PATH"), ':')) {
    std::error_code why;
    const std::string file = std::filesystem::canonical(folder + "/libcuda.so.1", why).filename();
    constexpr std::string_view before = "libcuda.so.";
    if (!why && file.starts_with(before)) return file.substr(before.size());
  }
  return faults_.driver;
}

std::string Node::address_of(int slot) {
  std::array<char, 16> text{};
  std::snprintf(text.data(), text.size(), "0000:%02x:00.0", static_cast<unsigned>(slot + 1) * 0x10 % 0x100);
  return text.data();
}

double Node::slowness(int slot) const {
  const auto own = static_cast<std::uint64_t>(slot);
  double factor = (1 + h100::spread_of_gpus * noise(mix64(own + 1000 * seed_))) *
                  (1 + h100::spread_of_runs * noise(mix64(~seed_)));
  if (slot == faults_.slow_gpu) factor /= 1 - faults_.slow_percent / 100;
  if (slot == faults_.fading_gpu) {
    const double done = static_cast<double>(activity_[slot].products) / fading_products;
    factor /= 1 - faults_.fading_percent / 100 * std::min(1.0, done);
  }
  return factor;
}

double Node::disturbance(double seconds) {
  const std::uint64_t execution = mix64(seed_of_executions_) + executions_++;
  const std::uint64_t length = std::bit_cast<std::uint64_t>(seconds) ^ mix64(~seed_of_executions_);
  return (1 + spread_of_executions_ * noise(mix64(execution))) *
         (1 + spread_of_lengths_ * noise(mix64(length)));
}

}  // namespace assay::core::simulated
