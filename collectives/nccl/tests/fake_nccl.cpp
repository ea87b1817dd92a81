// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "collectives/nccl/tests/fake_nccl.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <condition_variable>
#include <cstdlib>
#include <cstring>
#include <deque>
#include <utility>

#include "collectives/data_type.hpp"

namespace {

using Bytes = std::vector<std::byte>;

/// What the ranks of a communicator share.
struct Meeting {
  explicit Meeting(int ranks) : size(ranks) {}

  /// Of one collective: what each rank calls and brings.
  struct Round {
    std::map<int, std::pair<std::string, Bytes>> brought;
    int left = 0;
  };
  struct Split {
    std::map<int, std::pair<int, int>> wishes;  // rank -> color, key
    std::map<int, std::shared_ptr<Meeting>> made;
  };

  const int size;
  std::mutex mutex;
  std::condition_variable changed;
  int joined = 0;
  std::map<std::int64_t, Round> rounds;
  std::map<std::pair<int, int>, std::deque<Bytes>> messages;  // from, to
  std::map<int, Split> splits;
};

std::mutex meetings_mutex;
std::map<std::string, std::shared_ptr<Meeting>> meetings;  // by id

}  // namespace

struct ncclComm {
  std::shared_ptr<Meeting> meeting;
  int rank = 0;
  bool is_child = false;
  std::int64_t rounds = 0;
  int splits = 0;
  ncclComm_t* wanted = nullptr;  // the child that a split under way is to make
};

namespace assay::collectives {
namespace {

/// One call of a group: first every call of a group brings what it has, then every call takes its result.
struct Call {
  FakeAccelerator* stream = nullptr;
  std::function<void()> bring, take;
};
thread_local int depth = 0;
thread_local std::vector<Call> pending;

void run_group() {
  std::vector<Call> group = std::exchange(pending, {});
  if (group.empty()) return;
  group.front().stream->take([group] {
    for (const Call& call : group) call.bring();
    for (const Call& call : group) call.take();
  });
}

ncclResult_t add(Call call) {
  pending.push_back(std::move(call));
  if (depth == 0) run_group();
  return ncclSuccess;
}

/// What was planned to fail, and the note of the call.
ncclResult_t called(const char* function) {
  fake().note(function);
  const std::lock_guard lock(fake().mutex);
  const auto failing = fake().failing.find(function);
  return failing == fake().failing.end() ? ncclSuccess : failing->second;
}

std::size_t bytes_of_type(ncclDataType_t type) { return type == ncclInt32 || type == ncclFloat32 ? 4 : 8; }

DataType our_type(ncclDataType_t type) {
  return type == ncclInt32     ? DataType::int32
         : type == ncclInt64   ? DataType::int64
         : type == ncclFloat32 ? DataType::float32
                               : DataType::float64;
}

Operator our_operator(ncclRedOp_t reduction) {
  return reduction == ncclSum    ? Operator::sum
         : reduction == ncclProd ? Operator::prod
         : reduction == ncclMin  ? Operator::min
                                 : Operator::max;
}

Bytes copy_of(const void* from, std::size_t bytes) {
  const auto* first = static_cast<const std::byte*>(from);
  return {first, first + bytes};
}

/// All ranks' contributions to one collective; every rank must have called the same.
std::vector<Bytes> met(Meeting& meeting, std::int64_t round_number, const std::string& call) {
  std::unique_lock lock(meeting.mutex);
  Meeting::Round& round = meeting.rounds[round_number];
  meeting.changed.wait(lock, [&] { return static_cast<int>(round.brought.size()) == meeting.size; });
  std::vector<Bytes> all;
  for (const auto& [rank, one] : round.brought) {
    EXPECT_EQ(one.first, call) << "rank " << rank << " called another collective";
    all.push_back(one.second);
  }
  if (++round.left == meeting.size) meeting.rounds.erase(round_number);
  return all;
}

/// A collective in which rank r brings `bytes` from `input` (none: nothing) and then makes of all that what
/// it takes.
ncclResult_t collective(const char* function, const void* input, std::size_t bytes, const std::string& how,
                        ncclComm_t comm, cudaStream_t stream,
                        std::function<void(const std::vector<Bytes>&)> take) {
  if (const ncclResult_t failed = called(function); failed != ncclSuccess) return failed;
  const std::string call = function + (" " + how);
  auto number = std::make_shared<std::int64_t>(0);
  return add({.stream = reinterpret_cast<FakeAccelerator*>(stream),
              .bring =
                  [=] {
                    *number = comm->rounds++;
                    const std::lock_guard lock(comm->meeting->mutex);
                    comm->meeting->rounds[*number].brought[comm->rank] = {call, copy_of(input, bytes)};
                    comm->meeting->changed.notify_all();
                  },
              .take = [=, take = std::move(take)] { take(met(*comm->meeting, *number, call)); }});
}

std::string words(std::size_t count, ncclDataType_t type, int reduction, int root) {
  return std::to_string(count) + " of type " + std::to_string(type) + " by " + std::to_string(reduction) +
         " root " + std::to_string(root);
}

Bytes reduced(const std::vector<Bytes>& all, std::size_t count, ncclDataType_t type, ncclRedOp_t reduction) {
  Bytes result = all.front();
  for (std::size_t rank = 1; rank < all.size(); ++rank)
    reduce_into(our_type(type), our_operator(reduction), result.data(), all[rank].data(),
                static_cast<std::int64_t>(count));
  return result;
}

void put(void* to, const Bytes& from, std::size_t at, std::size_t bytes) {
  if (bytes > 0) std::memcpy(to, from.data() + at, bytes);
}

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
  if (const char* told = std::getenv("NCCL_ALGO")) fake().note(std::string("NCCL_ALGO=") + told);
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
  const std::lock_guard lock(comm->meeting->mutex);
  comm->meeting->splits[++comm->splits].wishes[comm->rank] = {color, key};
  comm->wanted = made;
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
  if (!made) made = std::make_shared<Meeting>(static_cast<int>(ranks.size()));
  made->joined = made->size;
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
  delete comm;
  return ncclSuccess;
}
ncclResult_t comm_destroy(ncclComm_t comm) { return end(comm, "comm_destroy"); }
ncclResult_t comm_abort(ncclComm_t comm) { return end(comm, "comm_abort"); }

ncclResult_t group_start() {
  ++depth;
  return ncclSuccess;
}
ncclResult_t group_end() {
  if (--depth > 0) return ncclSuccess;
  const ncclResult_t result = called("group_end");
  run_group();
  return result;
}

ncclResult_t all_reduce(const void* from, void* to, std::size_t count, ncclDataType_t type,
                        ncclRedOp_t reduction, ncclComm_t comm, cudaStream_t stream) {
  return collective("all_reduce", from, count * bytes_of_type(type), words(count, type, reduction, 0), comm,
                    stream, [=](const std::vector<Bytes>& all) {
                      put(to, reduced(all, count, type, reduction), 0, count * bytes_of_type(type));
                    });
}

ncclResult_t all_gather(const void* from, void* to, std::size_t count, ncclDataType_t type, ncclComm_t comm,
                        cudaStream_t stream) {
  const std::size_t bytes = count * bytes_of_type(type);
  return collective("all_gather", from, bytes, words(count, type, 0, 0), comm, stream,
                    [=](const std::vector<Bytes>& all) {
                      for (std::size_t rank = 0; rank < all.size(); ++rank)
                        put(static_cast<std::byte*>(to) + rank * bytes, all[rank], 0, bytes);
                    });
}

ncclResult_t reduce_scatter(const void* from, void* to, std::size_t count, ncclDataType_t type,
                            ncclRedOp_t reduction, ncclComm_t comm, cudaStream_t stream) {
  const std::size_t bytes = count * bytes_of_type(type), n = static_cast<std::size_t>(comm->meeting->size);
  return collective("reduce_scatter", from, n * bytes, words(count, type, reduction, 0), comm, stream,
                    [=, rank = static_cast<std::size_t>(comm->rank)](const std::vector<Bytes>& all) {
                      put(to, reduced(all, n * count, type, reduction), rank * bytes, bytes);
                    });
}

ncclResult_t broadcast(const void* from, void* to, std::size_t count, ncclDataType_t type, int root,
                       ncclComm_t comm, cudaStream_t stream) {
  const std::size_t bytes = count * bytes_of_type(type);
  return collective(
      "broadcast", from, comm->rank == root ? bytes : 0, words(count, type, 0, root), comm, stream,
      [=](const std::vector<Bytes>& all) { put(to, all[static_cast<std::size_t>(root)], 0, bytes); });
}

ncclResult_t reduce(const void* from, void* to, std::size_t count, ncclDataType_t type, ncclRedOp_t reduction,
                    int root, ncclComm_t comm, cudaStream_t stream) {
  const std::size_t bytes = count * bytes_of_type(type);
  return collective("reduce", from, bytes, words(count, type, reduction, root), comm, stream,
                    [=, at_root = comm->rank == root](const std::vector<Bytes>& all) {
                      if (at_root) put(to, reduced(all, count, type, reduction), 0, bytes);
                    });
}

ncclResult_t gather(const void* from, void* to, std::size_t count, ncclDataType_t type, int root,
                    ncclComm_t comm, cudaStream_t stream) {
  const std::size_t bytes = count * bytes_of_type(type);
  return collective("gather", from, bytes, words(count, type, 0, root), comm, stream,
                    [=, at_root = comm->rank == root](const std::vector<Bytes>& all) {
                      for (std::size_t rank = 0; at_root && rank < all.size(); ++rank)
                        put(static_cast<std::byte*>(to) + rank * bytes, all[rank], 0, bytes);
                    });
}

ncclResult_t scatter(const void* from, void* to, std::size_t count, ncclDataType_t type, int root,
                     ncclComm_t comm, cudaStream_t stream) {
  const std::size_t bytes = count * bytes_of_type(type), n = static_cast<std::size_t>(comm->meeting->size);
  return collective("scatter", from, comm->rank == root ? n * bytes : 0, words(count, type, 0, root), comm,
                    stream, [=, rank = static_cast<std::size_t>(comm->rank)](const std::vector<Bytes>& all) {
                      put(to, all[static_cast<std::size_t>(root)], rank * bytes, bytes);
                    });
}

ncclResult_t allto_all(const void* from, void* to, std::size_t count, ncclDataType_t type, ncclComm_t comm,
                       cudaStream_t stream) {
  const std::size_t bytes = count * bytes_of_type(type), n = static_cast<std::size_t>(comm->meeting->size);
  return collective("allto_all", from, n * bytes, words(count, type, 0, 0), comm, stream,
                    [=, rank = static_cast<std::size_t>(comm->rank)](const std::vector<Bytes>& all) {
                      for (std::size_t peer = 0; peer < n; ++peer)
                        put(static_cast<std::byte*>(to) + peer * bytes, all[peer], rank * bytes, bytes);
                    });
}

ncclResult_t send(const void* from, std::size_t count, ncclDataType_t type, int peer, ncclComm_t comm,
                  cudaStream_t stream) {
  if (const ncclResult_t failed = called("send"); failed != ncclSuccess) return failed;
  return add({.stream = reinterpret_cast<FakeAccelerator*>(stream),
              .bring =
                  [=] {
                    const std::lock_guard lock(comm->meeting->mutex);
                    comm->meeting->messages[{comm->rank, peer}].push_back(
                        copy_of(from, count * bytes_of_type(type)));
                    comm->meeting->changed.notify_all();
                  },
              .take = [] {}});
}

ncclResult_t recv(void* to, std::size_t count, ncclDataType_t type, int peer, ncclComm_t comm,
                  cudaStream_t stream) {
  if (const ncclResult_t failed = called("recv"); failed != ncclSuccess) return failed;
  return add({.stream = reinterpret_cast<FakeAccelerator*>(stream),
              .bring = [] {},
              .take =
                  [=] {
                    std::unique_lock lock(comm->meeting->mutex);
                    auto& messages = comm->meeting->messages[{peer, comm->rank}];
                    comm->meeting->changed.wait(lock, [&] { return !messages.empty(); });
                    EXPECT_EQ(messages.front().size(), count * bytes_of_type(type));
                    put(to, messages.front(), 0, messages.front().size());
                    messages.pop_front();
                  }});
}

ncclResult_t mem_alloc(void** memory, std::size_t bytes) {
  *memory = std::malloc(bytes);
  return called("mem_alloc");
}
ncclResult_t mem_free(void* memory) {
  std::free(memory);
  return called("mem_free");
}
ncclResult_t comm_register(ncclComm_t, void* memory, std::size_t, void** handle) {
  *handle = memory;
  return called("comm_register");
}
ncclResult_t comm_deregister(ncclComm_t, void*) { return called("comm_deregister"); }

class FakeReplay final : public Replay {
 public:
  explicit FakeReplay(std::vector<FakeAccelerator::Work> kept) : kept_(std::move(kept)) {}
  void enqueue() override {
    fake().note("replay");
    for (const FakeAccelerator::Work& work : kept_) work();
  }

 private:
  std::vector<FakeAccelerator::Work> kept_;
};

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
  fake().never_ready = false;
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

NcclCalls fake_calls(bool complete) {
  NcclCalls calls{.get_version = get_version,
                  .get_error_string = get_error_string,
                  .get_last_error = get_last_error,
                  .get_unique_id = get_unique_id,
                  .comm_init_rank_config = comm_init,
                  .comm_split = comm_split,
                  .comm_destroy = comm_destroy,
                  .comm_abort = comm_abort,
                  .comm_get_async_error = comm_get_async_error,
                  .group_start = group_start,
                  .group_end = group_end,
                  .all_reduce = all_reduce,
                  .all_gather = all_gather,
                  .reduce_scatter = reduce_scatter,
                  .broadcast = broadcast,
                  .reduce = reduce,
                  .send = send,
                  .recv = recv};
  if (!complete) return calls;
  calls.mem_alloc = mem_alloc;
  calls.mem_free = mem_free;
  calls.comm_register = comm_register;
  calls.comm_deregister = comm_deregister;
  calls.allto_all = allto_all;
  calls.gather = gather;
  calls.scatter = scatter;
  return calls;
}

cudaStream_t FakeAccelerator::stream() { return reinterpret_cast<cudaStream_t>(this); }

std::byte* FakeAccelerator::allocate(std::size_t bytes) {
  ++allocated;
  return static_cast<std::byte*>(std::malloc(bytes));
}

void FakeAccelerator::free(std::byte* memory) noexcept {
  --allocated;
  std::free(memory);
}

void FakeAccelerator::to_device(std::byte* to, std::span<const std::byte> from) {
  if (!from.empty()) std::memcpy(to, from.data(), from.size());
}

void FakeAccelerator::to_host(std::span<std::byte> to, const std::byte* from) {
  if (!to.empty()) std::memcpy(to.data(), from, to.size());
}

void FakeAccelerator::begin_keeping() { keeps_ = true; }

std::unique_ptr<Replay> FakeAccelerator::end_keeping() {
  keeps_ = false;
  return std::make_unique<FakeReplay>(std::exchange(kept_, {}));
}

void FakeAccelerator::take(Work work) { keeps_ ? kept_.push_back(std::move(work)) : work(); }

}  // namespace assay::collectives
