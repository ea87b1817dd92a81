// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "offload/checkpoint/group_restore.hpp"

#include <fmt/format.h>
#include <sys/socket.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <cstring>
#include <exception>
#include <fstream>
#include <limits>
#include <memory>
#include <thread>

#include "harness/core/error.hpp"
#include "harness/core/files/descriptor.hpp"
#include "harness/core/seconds_since.hpp"
#include "harness/core/units.hpp"
#include "harness/integrity/digest.hpp"
#include "offload/arena_of.hpp"
#include "offload/incompressible.hpp"

namespace assay::offload {
namespace {

constexpr std::size_t piece_bytes = core::mib;
constexpr std::size_t none_will_come = std::numeric_limits<std::size_t>::max();

/// A neighbour gave up: its own error says why.
class LinkEnded : public core::Error {
 public:
  explicit LinkEnded(int code) : Error(core::ErrorKind::system, "a neighbour gave up", code) {}
};

void flip(std::byte& byte) { byte ^= std::byte{1}; }

}  // namespace

/// From one rank to the next.
struct GroupRestore::Link {
  Link() {
    std::array<int, 2> ends{};
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends.data()) != 0)
      throw core::Error(core::ErrorKind::system, fmt::format("a socket pair: {}", std::strerror(errno)),
                        errno);
    from = core::Descriptor(ends[0]);
    to = core::Descriptor(ends[1]);
  }
  void send(std::span<const std::byte> bytes) const {
    while (!bytes.empty()) {
      const ssize_t sent = ::send(from.get(), bytes.data(), bytes.size(), MSG_NOSIGNAL);
      if (sent < 0 && errno == EINTR) continue;
      if (sent <= 0) throw LinkEnded(errno);
      bytes = bytes.subspan(static_cast<std::size_t>(sent));
    }
  }
  void receive(std::span<std::byte> bytes) const {
    while (!bytes.empty()) {
      const ssize_t came = recv(to.get(), bytes.data(), bytes.size(), MSG_WAITALL);
      if (came < 0 && errno == EINTR) continue;
      if (came <= 0) throw LinkEnded(errno);
      bytes = bytes.subspan(static_cast<std::size_t>(came));
    }
  }
  void end() const {
    shutdown(from.get(), SHUT_RDWR);
    shutdown(to.get(), SHUT_RDWR);
  }

  core::Descriptor from, to;
};

GroupRestore::GroupRestore(const Settings& settings)
    : settings_(settings), checkpoint_(settings.checkpoint, settings.bytes) {
  for (int rank = 0; rank < settings.ranks; ++rank) {
    restored_.push_back(arena_of(settings.bytes));
    if (rank == 0 || settings.mode == RestoreMode::all_read)
      readers_.emplace_back(settings.checkpoint.shards);
  }
  const std::span<std::byte> state = restored_[0].as<std::byte>();
  fill_incompressibly(restored_[0].as<std::uint64_t>());
  checkpoint_.write(state);
  std::ranges::fill(state, std::byte{0});  // what is not restored is found
}

std::span<std::byte> GroupRestore::part(int rank, const Shard& shard) const {
  return restored_[static_cast<std::size_t>(rank)].as<std::byte>().subspan(
      static_cast<std::size_t>(shard.offset), static_cast<std::size_t>(shard.bytes));
}

double GroupRestore::read_all(int rank) {
  const double began = core::steady_seconds();
  readers_[static_cast<std::size_t>(rank)].read(checkpoint_.shards(),
                                                restored_[static_cast<std::size_t>(rank)].as<std::byte>());
  return core::steady_seconds() - began;
}

double GroupRestore::read_and_send(Link& next) {
  const double began = core::steady_seconds();
  double read_s = 0;
  const std::vector<Shard>& shards = checkpoint_.shards();
  std::atomic<std::size_t> read{0};
  std::exception_ptr failure;
  std::thread sender([&] {
    try {
      for (std::size_t shard = 0; shard < shards.size(); ++shard) {
        for (std::size_t so_far = read; so_far <= shard; so_far = read) read.wait(so_far);
        if (read == none_will_come) break;
        next.send(part(0, shards[shard]));
      }
    } catch (...) {
      failure = std::current_exception();
    }
  });
  const auto finish = [&](std::size_t count) {
    read = count;
    read.notify_one();
  };
  try {
    for (std::size_t shard = 0; shard < shards.size(); ++shard) {
      readers_[0].read(std::span(&shards[shard], 1), restored_[0].as<std::byte>());
      finish(shard + 1);
    }
    read_s = core::steady_seconds() - began;
  } catch (...) {
    finish(none_will_come);
    sender.join();
    throw;
  }
  sender.join();
  if (failure) std::rethrow_exception(failure);
  return read_s;
}

void GroupRestore::receive(int rank, Link& before, Link* next) {
  const std::int64_t block_bytes = settings_.checkpoint.shards.ring.block_bytes;
  for (const Shard& shard : checkpoint_.shards()) {
    const std::span<std::byte> whole = part(rank, shard);
    for (std::size_t first = 0; first < whole.size(); first += piece_bytes) {
      const auto piece = whole.subspan(first, std::min(piece_bytes, whole.size() - first));
      before.receive(piece);
      if (next != nullptr) next->send(piece);
    }
    if (fault_on_the_way_ && rank + 1 == settings_.ranks) flip(whole[whole.size() / 2]);
    require_checksum(fmt::format("rank {}: {}", rank, shard.path.filename().string()),
                     checksum_of(whole, block_bytes), shard);
  }
}

double GroupRestore::run_rank(int rank, std::vector<Link>& links) {
  const auto place = static_cast<std::size_t>(rank);
  if (settings_.mode == RestoreMode::all_read) return read_all(rank);
  if (rank == 0) return read_and_send(links[0]);
  receive(rank, links[place - 1], place < links.size() ? &links[place] : nullptr);
  return 0;
}

GroupRestore::Times GroupRestore::run() {
  const auto ranks = static_cast<std::size_t>(settings_.ranks);
  std::vector<Link> links(ranks - 1);
  std::vector<std::exception_ptr> failures(ranks);
  std::vector<double> read_s(ranks);
  std::vector<std::thread> threads;
  const double began = core::steady_seconds();
  for (std::size_t rank = 0; rank < ranks; ++rank)
    threads.emplace_back([&, rank] {
      try {
        read_s[rank] = run_rank(static_cast<int>(rank), links);
      } catch (...) {
        failures[rank] = std::current_exception();
        for (const Link& link : links) link.end();
      }
    });
  for (std::thread& thread : threads) thread.join();
  const double all_s = core::steady_seconds() - began;
  std::exception_ptr ended;
  for (const std::exception_ptr& failure : failures) try {
      if (failure) std::rethrow_exception(failure);
    } catch (const LinkEnded&) {
      ended = failure;
    }
  if (ended) std::rethrow_exception(ended);
  return {.all_s = all_s, .read_s = std::ranges::max(read_s)};
}

std::optional<std::size_t> GroupRestore::first_wrong_byte() const {
  const std::span<std::uint64_t> words = restored_[0].as<std::uint64_t>();
  IncompressibleWords state;
  std::vector<std::uint64_t> piece(piece_bytes / sizeof(std::uint64_t));
  for (std::size_t first = 0; first < words.size(); first += piece.size()) {
    const auto seen = words.subspan(first, std::min(piece.size(), words.size() - first));
    const auto expected = std::span(piece).first(seen.size());
    state.fill(expected);
    if (const auto at = first_difference(std::as_bytes(seen), std::as_bytes(expected)))
      return first * sizeof(std::uint64_t) + *at;
  }
  return std::nullopt;
}

std::optional<std::string> GroupRestore::first_wrong() const {
  const auto wrong = [](int rank, std::size_t byte) {
    return fmt::format("rank {}: byte {} is not what was saved", rank, byte);
  };
  if (const auto first = first_wrong_byte()) return wrong(0, *first);
  for (int rank = 1; rank < settings_.ranks; ++rank)
    if (const auto first = first_difference(restored_[static_cast<std::size_t>(rank)].as<std::byte>(),
                                            restored_[0].as<std::byte>()))
      return wrong(rank, *first);
  return std::nullopt;
}

bool GroupRestore::restores_without_complaint() {
  try {
    run();
  } catch (const core::Error&) {
    return false;
  }
  return true;
}

void GroupRestore::flip_on_storage() const {
  const Shard& last = checkpoint_.shards().back();
  std::fstream file(last.path, std::ios::binary | std::ios::in | std::ios::out);
  char byte = 0;
  file.seekg(last.bytes / 2).get(byte);
  file.seekp(last.bytes / 2).put(static_cast<char>(byte ^ 1)).flush();
  if (!file) throw core::Error(core::ErrorKind::system, fmt::format("damage {}", last.path.string()));
}

std::optional<std::string> GroupRestore::unnoticed_fault() {
  flip_on_storage();
  const bool storage_passed = restores_without_complaint();
  flip_on_storage();
  if (storage_passed) return "a flipped bit on the storage was not noticed";
  if (settings_.mode == RestoreMode::all_read) return std::nullopt;
  fault_on_the_way_ = true;
  const bool way_passed = restores_without_complaint();
  fault_on_the_way_ = false;
  if (way_passed) return "a flipped bit on the way to the last rank was not noticed";
  return std::nullopt;
}

}  // namespace assay::offload
