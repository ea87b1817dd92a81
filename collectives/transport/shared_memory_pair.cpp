// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "collectives/transport/shared_memory_pair.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/mman.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <deque>
#include <new>
#include <string>
#include <utility>

#include "collectives/transport/shared_ring.hpp"
#include "harness/core/error.hpp"
#include "harness/core/files/descriptor.hpp"
#include "harness/team/agree.hpp"
#include "harness/team/wire/deadline.hpp"
#include "harness/team/wire/keyed_hash.hpp"

namespace assay::collectives {
namespace {

constexpr double longest_sleep_s = 0.1;  // until a look whether the point is given up

/// The shared memory of a pair. Indexed by side: what it writes, and what wakes it.
struct SharedArea {
  std::array<SharedRing, 2> rings;
  std::array<SharedBell, 2> bells;
};

[[noreturn]] void throw_no_memory(const char* doing, int code) {
  throw core::Error(core::ErrorKind::system, fmt::format("{}: {}", doing, std::strerror(code)), code);
}

struct Unmap {
  void operator()(SharedArea* area) const { munmap(area, sizeof(SharedArea)); }
};
using Mapping = std::unique_ptr<SharedArea, Unmap>;

core::Descriptor open_shared(const std::string& name, int flags) {
  constexpr int of_this_user = 0600;
  core::Descriptor file(shm_open(name.c_str(), O_RDWR | O_CLOEXEC | flags, of_this_user));
  if (!file) throw_no_memory("open shared memory (/dev/shm)", errno);
  return file;
}

Mapping map_shared(const core::Descriptor& file) {
  void* at = mmap(nullptr, sizeof(SharedArea), PROT_READ | PROT_WRITE, MAP_SHARED, file.get(), 0);
  if (at == MAP_FAILED) throw_no_memory("map shared memory", errno);
  return Mapping(std::launder(static_cast<SharedArea*>(at)));
}

Mapping create_area(const std::string& name) {
  const core::Descriptor file = open_shared(name, O_CREAT | O_EXCL);
  // Taken now: memory that /dev/shm has no room for would end the process when it is touched.
  if (const int code = posix_fallocate(file.get(), 0, sizeof(SharedArea)); code != 0)
    throw_no_memory("get shared memory (/dev/shm)", code);
  Mapping area = map_shared(file);
  new (area.get()) SharedArea;
  return area;
}

/// The name goes once both ends have the memory, or one of them failed.
struct NamedArea {
  explicit NamedArea(std::string text) : name(std::move(text)) {}
  ~NamedArea() { shm_unlink(name.c_str()); }
  NamedArea(const NamedArea&) = delete;
  NamedArea& operator=(const NamedArea&) = delete;

  std::string name;
};

class SharedMemoryPair final : public Transport {
 public:
  SharedMemoryPair(Mapping area, int rank, double limit_s, Waiting waiting, const std::atomic<bool>& given_up)
      : area_(std::move(area)), rank_(rank), limit_s_(limit_s), waiting_(waiting), given_up_(given_up) {}

  int rank() const override { return rank_; }
  int size() const override { return 2; }
  void send(int /*to*/, std::span<const std::byte> bytes) override {
    // Only read from; a message of either direction has the same shape.
    sending_.push_back({bytes.size(), {const_cast<std::byte*>(bytes.data()), bytes.size()}});
  }
  void receive(int /*from*/, std::span<std::byte> bytes) override { receiving_.push_back({0, bytes}); }

  void wait() override {
    const team::Deadline deadline(limit_s_);
    while (!sending_.empty() || !receiving_.empty())
      if (!progress()) pause(deadline);
  }

 private:
  struct Message {
    std::uint64_t size = 0;  // goes before the bytes
    std::span<std::byte> bytes;
    std::size_t moved = 0;  // of size and bytes together

    bool whole() const { return moved == sizeof size + bytes.size(); }
    std::span<std::byte> rest() {
      if (moved < sizeof size) return std::as_writable_bytes(std::span(&size, 1)).subspan(moved);
      return bytes.subspan(moved - sizeof size);
    }
  };
  int peer() const { return 1 - rank_; }
  SharedRing& ring_of(int side) { return area_->rings[static_cast<std::size_t>(side)]; }
  SharedBell& bell_of(int side) { return area_->bells[static_cast<std::size_t>(side)]; }

  bool progress() {
    const bool sent = move(sending_, [this](Message& one) { return ring_of(rank_).put(one.rest()); });
    const bool received = move(receiving_, [this](Message& one) { return take(one); });
    if ((sent || received) && waiting_ == Waiting::sleeping) bell_of(peer()).ring();
    return sent || received;
  }
  template <class Step>
  static bool move(std::deque<Message>& messages, const Step& step) {
    bool moved = false;
    while (!messages.empty()) {
      Message& message = messages.front();
      if (!message.whole()) {
        const std::size_t count = step(message);
        if (count == 0) return moved;
        moved = true;
        message.moved += count;
      }
      if (message.whole()) messages.pop_front();
    }
    return moved;
  }
  std::size_t take(Message& message) {
    const std::size_t count = ring_of(peer()).take(message.rest());
    if (message.moved < sizeof message.size && message.moved + count >= sizeof message.size &&
        message.size != message.bytes.size())
      throw core::Error(core::ErrorKind::team, fmt::format("rank {} sent {} bytes where {} were expected",
                                                           peer(), message.size, message.bytes.size()));
    return count;
  }

  void pause(const team::Deadline& deadline) {
    if (waiting_ == Waiting::polling) {
      if (++idle_turns_ % turns_between_looks != 0) return;
    } else {
      const std::uint32_t heard = bell_of(rank_).listen();
      const bool moved = progress();
      if (!moved) bell_of(rank_).sleep(heard, std::min(longest_sleep_s, deadline.remaining_s()));
      bell_of(rank_).silence();
      if (moved) return;
    }
    if (given_up_)
      throw core::Error(core::ErrorKind::team,
                        fmt::format("given up while rank {} kept rank {} waiting", peer(), rank_));
    if (deadline.passed())
      throw core::Error(core::ErrorKind::team,
                        fmt::format("rank {} kept rank {} waiting for {} s", peer(), rank_, limit_s_));
  }

  Mapping area_;
  int rank_;
  double limit_s_;
  Waiting waiting_;
  const std::atomic<bool>& given_up_;
  unsigned idle_turns_ = 0;
  std::deque<Message> sending_, receiving_;
};

}  // namespace

std::unique_ptr<Transport> make_shared_memory_pair(team::Team& team, double limit_s, Waiting waiting,
                                                   const std::atomic<bool>& given_up) {
  const NamedArea named("/assay-" + team.broadcast(team::to_hex(team::random_secret()), team::reply_limit_s));
  Mapping area;
  team::agree(team, [&] {
    if (team.rank() == 0) area = create_area(named.name);
    return std::string();
  });
  team::agree(team, [&] {
    if (team.rank() == 1) area = map_shared(open_shared(named.name, 0));
    return std::string();
  });
  if (!area) return nullptr;
  return std::make_unique<SharedMemoryPair>(std::move(area), team.rank(), limit_s, waiting, given_up);
}

}  // namespace assay::collectives
