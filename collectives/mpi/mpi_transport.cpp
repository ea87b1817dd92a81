// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "collectives/mpi/mpi_transport.hpp"

#include <dlfcn.h>
#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "harness/core/error.hpp"
#include "harness/team/mpi/mpi_team.hpp"
#include "harness/team/wire/deadline.hpp"

namespace assay::collectives {
namespace {

constexpr double look_at_order_s = 0.1;  // whether the point is given up

class MpiTransport final : public Transport {
 public:
  MpiTransport(const MpiDataCalls& calls, double limit_s, const std::atomic<bool>& given_up)
      : calls_(calls), limit_s_(limit_s), given_up_(given_up) {
    check_mpi(calls_, calls_.start(&rank_, &size_), "open a communicator");
  }

  int rank() const override { return rank_; }
  int size() const override { return size_; }

  void send(int to, std::span<const std::byte> bytes) override {
    check_mpi(calls_, calls_.send(bytes.data(), bytes.size(), to), fmt::format("send to rank {}", to));
  }
  void receive(int from, std::span<std::byte> bytes) override {
    check_mpi(calls_, calls_.receive(bytes.data(), bytes.size(), from),
              fmt::format("receive from rank {}", from));
  }
  void wait() override {
    const team::Deadline deadline(limit_s_);
    for (;;) {
      int late = -1;
      const double slice_s = std::min(look_at_order_s, deadline.remaining_s());
      check_mpi(calls_, calls_.wait(slice_s, &late), "wait for messages");
      if (late < 0) return;
      if (given_up_) fail(fmt::format("given up while rank {} kept rank {} waiting", late, rank_));
      if (deadline.passed())
        fail(fmt::format("rank {} kept rank {} waiting for {} s", late, rank_, limit_s_));
    }
  }

 private:
  [[noreturn]] static void fail(const std::string& what) {
    core::Error error(core::ErrorKind::team, what);
    throw error.poison();  // MPI may still write to the buffers of what it was asked for
  }

  const MpiDataCalls& calls_;
  double limit_s_;
  const std::atomic<bool>& given_up_;
  int rank_ = 0, size_ = 1;
};

}  // namespace

// The team's plug-in is loaded by nothing but a team of MPI's.
bool mpi_runs_here() {
  void* library = dlopen(team::mpi_plugin_path().c_str(), RTLD_NOW | RTLD_NOLOAD);
  if (library == nullptr) return false;
  dlclose(library);
  return true;
}

std::filesystem::path mpi_data_plugin_path() {
  return team::mpi_plugin_path().parent_path() / "assay_collectives_mpi.so";
}

const MpiDataCalls* mpi_data_calls(const std::filesystem::path& plugin) {
  if (!mpi_runs_here()) return nullptr;
  void* library = dlopen(plugin.c_str(), RTLD_NOW | RTLD_GLOBAL);  // never closed: MPI runs on
  if (library == nullptr)
    core::usage_error(
        fmt::format("{} does not load ({}): install one whole build", plugin.string(), dlerror()));
  const auto calls = reinterpret_cast<MpiDataCallsFunction>(dlsym(library, mpi_data_calls_symbol));
  if (calls == nullptr || calls()->revision != mpi_data_calls_revision)
    core::usage_error(fmt::format("{} is of another build of assay: install one build", plugin.string()));
  return calls();
}

void check_mpi(const MpiDataCalls& calls, int code, const std::string& what) {
  if (code == 0) return;
  std::array<char, 512> words{};
  calls.describe(code, words.data(), static_cast<int>(words.size()));
  throw core::Error(core::ErrorKind::mpi, fmt::format("{}: {}", what, words.data()), code);
}

int open_mpi_group(const MpiDataCalls& calls, int group, const std::vector<int>& members) {
  int rank = 0, size = 1;
  check_mpi(calls, calls.start(&rank, &size), "open a communicator");
  const auto member = std::ranges::find(members, rank);
  const int place = member == members.end() ? -1 : static_cast<int>(member - members.begin());
  check_mpi(calls, calls.open_group(group, place), "open a group's communicator");
  return group;
}

std::unique_ptr<Transport> make_mpi_transport(const MpiDataCalls& calls, double limit_s,
                                              const std::atomic<bool>& given_up) {
  return std::make_unique<MpiTransport>(calls, limit_s, given_up);
}

}  // namespace assay::collectives
