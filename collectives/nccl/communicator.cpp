// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "collectives/nccl/communicator.hpp"

#include <fmt/format.h>

#include <chrono>
#include <thread>
#include <utility>

#include "harness/core/error.hpp"
#include "harness/core/seconds_since.hpp"
#include "harness/core/units.hpp"
#include "harness/cuda/check.hpp"

namespace assay::collectives {
namespace {

using Clock = std::chrono::steady_clock;

ncclConfig_t config_of(bool blocks) {
  ncclConfig_t config = NCCL_CONFIG_INITIALIZER;
  config.blocking = blocks ? 1 : 0;
  return config;
}

/// A template: nccl.h before 2.27 has no such member.
template <class Config>
bool set_policy(Config& config, CtaPolicy policy) {
  if constexpr (requires { config.CTAPolicy; }) {
    if (policy != CtaPolicy::left_to_nccl) config.CTAPolicy = policy == CtaPolicy::zero ? 2 : 1;
    return true;
  }
  return false;
}

}  // namespace

bool can_set_cta_policy() {
  ncclConfig_t config = config_of(true);
  return set_policy(config, CtaPolicy::left_to_nccl);
}

Communicator::Communicator(const nccl::Calls& calls, int ranks, int rank, const ncclUniqueId& id,
                           const Patience& patience)
    : calls_(calls), patience_(patience) {
  constexpr const char* doing = "make a communicator";
  ncclConfig_t config = config_of(false);
  try {
    check(calls_.comm_init_rank_config(&comm_, ranks, id, rank, &config), doing);
    wait_for_nccl(doing);
  } catch (...) {
    if (comm_ != nullptr) static_cast<void>(calls_.comm_abort(comm_));  // no destructor follows
    throw;
  }
}

Communicator::~Communicator() {
  if (comm_ == nullptr) return;
  if (cuda::context_is_lost()) {
    // A lost device never answers, and NCCL would wait for it. Its threads keep running, and may write there.
    new std::deque(std::move(split_));
    return;
  }
  const bool quiet = !broken_ && !patience_.given_up->load();
  static_cast<void>(quiet ? calls_.comm_destroy(comm_) : calls_.comm_abort(comm_));
}

std::unique_ptr<Communicator> Communicator::split(bool member, int key, const NcclWay& way) {
  constexpr const char* doing = "split a communicator";
  ncclConfig_t config = config_of(true);
  static_cast<void>(set_policy(config, way.cta_policy));
  if (way.channels > 0) config.minCTAs = config.maxCTAs = way.channels;
  ncclComm_t& made = split_.emplace_back(nullptr);
  check(calls_.comm_split(comm_, member ? 0 : NCCL_SPLIT_NOCOLOR, key, &made, &config), doing);
  wait_for_nccl(doing);
  if (!member) return nullptr;
  if (made == nullptr) throw core::Error(core::ErrorKind::nccl, fmt::format("{}: NCCL made none", doing));
  return std::unique_ptr<Communicator>(new Communicator(calls_, made, patience_));
}

void Communicator::wait_for_nccl(std::string_view doing) {
  constexpr std::chrono::microseconds pause(200);
  wait_until(
      [&] {
        ncclResult_t state = ncclInProgress;
        check(calls_.comm_get_async_error(comm_, &state), doing);
        check(state, doing);
        if (state == ncclInProgress)
          std::this_thread::sleep_for(pause);  // its own threads need the processor
        return state == ncclSuccess;
      },
      doing);
}

void Communicator::wait_until(const std::function<bool()>& done, std::string_view doing) {
  constexpr int looks_between = 64;  // a look at the stream is quicker than the rest
  const Clock::time_point begin = Clock::now();
  try {
    for (int look = 1; !done(); ++look) {
      if (look % looks_between != 0) continue;
      throw_where_it_failed(doing);
      const double waited_s = core::seconds_since(begin);
      if (patience_.given_up->load() || waited_s > patience_.limit_s) give_up(doing, waited_s);
    }
  } catch (...) {
    abort();
    throw;
  }
}

/// Before memory is freed, for which the driver waits until kernels end.
void Communicator::abort() {
  broken_ = true;
  if (comm_ == nullptr || cuda::context_is_lost()) return;
  static_cast<void>(calls_.comm_abort(std::exchange(comm_, nullptr)));
}

void Communicator::throw_where_it_failed(std::string_view doing) {
  ncclResult_t state = ncclSuccess;
  check(calls_.comm_get_async_error(comm_, &state), doing);
  check(state, doing);
}

void Communicator::give_up(std::string_view doing, double waited_s) {
  const std::string waited = core::format_seconds(waited_s);
  if (patience_.given_up->load())
    throw core::Error(core::ErrorKind::nccl, fmt::format("{}: given up after {}", doing, waited));
  throw core::TimedOut(core::ErrorKind::nccl, fmt::format("{}: no end within {}", doing, waited));
}

void Communicator::check(ncclResult_t status, std::string_view doing, std::source_location where) {
  if (status != ncclSuccess && status != ncclInProgress) broken_ = true;
  nccl::check(calls_, status, doing, where);
}

}  // namespace assay::collectives
