// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "collectives/nccl/tests/fake_nccl.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <utility>

#include "collectives/nccl/tests/fake_parts.hpp"

namespace assay::collectives {
namespace {

std::mutex meetings_mutex;
std::map<std::string, std::shared_ptr<Meeting>> meetings;  // by id

ncclResult_t get_version(int* version) {
  *version = fake().version;
  return ncclSuccess;
}
const char* get_error_string(ncclResult_t status) {
  return status == ncclInvalidUsage ? "invalid usage" : "unhandled failure";
}
const char* get_last_error(ncclComm_t) { return fake().last_error.c_str(); }

ncclResult_t get_unique_id(ncclUniqueId* id) {
  static int made = 0;
  const std::string text = "fake " + std::to_string(++made);
  std::memset(id->internal, 0, sizeof(id->internal));
  std::memcpy(id->internal, text.data(), text.size());
  return called("get_unique_id");
}

ncclResult_t comm_init(ncclComm_t* comm, int ranks, ncclUniqueId id, int rank, ncclConfig_t* config) {
  if (const ncclResult_t failed = called("comm_init"); failed != ncclSuccess) return failed;
  EXPECT_EQ(config->blocking, 0);
  const std::lock_guard lock(meetings_mutex);
  std::shared_ptr<Meeting>& meeting = meetings[id.internal];
  if (!meeting) meeting = std::make_shared<Meeting>(ranks);
  EXPECT_EQ(meeting->size, ranks);
  *comm = new ncclComm{.meeting = meeting, .rank = rank};
  const std::lock_guard meeting_lock(meeting->mutex);
  ++meeting->joined;
  return ncclInProgress;
}

ncclResult_t comm_split(ncclComm_t comm, int color, int key, ncclComm_t* made, ncclConfig_t* config) {
  if (const ncclResult_t failed = called("comm_split"); failed != ncclSuccess) return failed;
  EXPECT_EQ(config->blocking, 1);
  if (config->CTAPolicy != NCCL_CONFIG_UNDEF_INT)
    fake().note("cta policy " + std::to_string(config->CTAPolicy));
  if (config->minCTAs != NCCL_CONFIG_UNDEF_INT)
    fake().note("channels " + std::to_string(config->minCTAs) + " to " + std::to_string(config->maxCTAs));
  const std::lock_guard lock(comm->meeting->mutex);
  comm->meeting->splits[++comm->splits].wishes[comm->rank] = {color, key};
  comm->wanted = made;
  *made = comm;        // seen again at the end
  return ncclSuccess;  // while it is in progress: so does the real one
}

/// The ranks of a color, by key.
std::vector<int> ranks_of(const Meeting::Split& split, int color) {
  std::vector<int> ranks;
  for (const auto& [rank, wish] : split.wishes)
    if (wish.first == color) ranks.push_back(rank);
  std::ranges::sort(ranks, {}, [&](int rank) { return split.wishes.at(rank).second; });
  return ranks;
}

void finish_split(ncclComm_t comm) {
  Meeting::Split& split = comm->meeting->splits[comm->splits];
  const int color = split.wishes.at(comm->rank).first;
  ncclComm_t* wanted = std::exchange(comm->wanted, nullptr);
  if (color == NCCL_SPLIT_NOCOLOR) return;
  const std::vector<int> ranks = ranks_of(split, color);
  std::shared_ptr<Meeting>& made = split.made[color];
  if (!made) {
    made = std::make_shared<Meeting>(static_cast<int>(ranks.size()));
    made->joined = made->size;
  }
  const auto own = std::ranges::find(ranks, comm->rank) - ranks.begin();
  *wanted = new ncclComm{.meeting = made, .rank = static_cast<int>(own), .is_child = true};
}

ncclResult_t comm_get_async_error(ncclComm_t comm, ncclResult_t* error) {
  {
    const std::lock_guard lock(fake().mutex);
    *error = fake().never_ready ? ncclInProgress : fake().async_error;
  }
  if (*error != ncclSuccess) return ncclSuccess;
  const std::lock_guard lock(comm->meeting->mutex);
  if (comm->meeting->joined < comm->meeting->size) *error = ncclInProgress;
  if (comm->wanted == nullptr) return ncclSuccess;
  if (static_cast<int>(comm->meeting->splits[comm->splits].wishes.size()) < comm->meeting->size)
    *error = ncclInProgress;
  else
    finish_split(comm);
  return ncclSuccess;
}

ncclResult_t end(ncclComm_t comm, const std::string& how) {
  fake().note(how + (comm->is_child ? " child" : " parent"));
  // The real one may write there until then.
  if (comm->wanted != nullptr) {
    EXPECT_EQ(*comm->wanted, comm) << "what a split was to make is gone";
  }
  delete comm;
  return ncclSuccess;
}
ncclResult_t comm_destroy(ncclComm_t comm) { return end(comm, "comm_destroy"); }
ncclResult_t comm_abort(ncclComm_t comm) { return end(comm, "comm_abort"); }

}  // namespace

FakeNccl& fake() {
  static FakeNccl one;
  return one;
}

void reset_fake() {
  const std::lock_guard lock(fake().mutex);
  fake().calls.clear();
  fake().failing.clear();
  fake().last_error = "the fake's own words";
  fake().async_error = ncclSuccess;
  fake().never_ready = fake().spoils = false;
  fake().version = NCCL_VERSION_CODE;
}

void FakeNccl::note(const std::string& call) {
  const std::lock_guard lock(mutex);
  calls.push_back(call);
}

int FakeNccl::count(const std::string& call) {
  const std::lock_guard lock(mutex);
  return static_cast<int>(std::ranges::count(calls, call));
}

ncclResult_t called(const char* function) {
  fake().note(function);
  const std::lock_guard lock(fake().mutex);
  const auto failing = fake().failing.find(function);
  return failing == fake().failing.end() ? ncclSuccess : failing->second;
}

void add_communicators(nccl::Calls& calls) {
  calls.get_version = get_version;
  calls.get_error_string = get_error_string;
  calls.get_last_error = get_last_error;
  calls.get_unique_id = get_unique_id;
  calls.comm_init_rank_config = comm_init;
  calls.comm_split = comm_split;
  calls.comm_destroy = comm_destroy;
  calls.comm_abort = comm_abort;
  calls.comm_get_async_error = comm_get_async_error;
}

nccl::Calls fake_calls(bool complete) {
  nccl::Calls calls;
  add_communicators(calls);
  add_operations(calls, complete);
  return calls;
}

}  // namespace assay::collectives
