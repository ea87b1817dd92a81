// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "rdma/tests/simulated/fabric.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/uio.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <string>

#include "harness/core/tests/simulated/node.hpp"

namespace assay::rdma::simulated {
namespace {

thread_local std::uint32_t watched_pair = 0;

std::string file_name() {
  const char* const named = std::getenv("ASSAY_SIMULATED_FABRIC");
  return named == nullptr ? core::simulated::Node::shared().folder() + "/fabric" : named;
}

[[noreturn]] void give_up(const char* doing) {
  std::perror(doing);
  std::abort();
}

/// Survives whoever holds it.
void make_mutex(pthread_mutex_t& mutex) {
  pthread_mutexattr_t attributes;
  pthread_mutexattr_init(&attributes);
  pthread_mutexattr_setpshared(&attributes, PTHREAD_PROCESS_SHARED);
  pthread_mutexattr_setrobust(&attributes, PTHREAD_MUTEX_ROBUST);
  pthread_mutex_init(&mutex, &attributes);
  pthread_mutexattr_destroy(&attributes);
}

struct Mapping {
  Shared* shared = nullptr;
  std::uint64_t process = 0;
};

Mapping map_fabric() {
  const int file = open(file_name().c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0666);
  if (file < 0 || flock(file, LOCK_EX) != 0 || ftruncate(file, sizeof(Shared)) != 0)
    give_up("simulated fabric: open its file");
  void* const mapped = mmap(nullptr, sizeof(Shared), PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
  if (mapped == MAP_FAILED) give_up("simulated fabric: map its file");
  auto* const shared = static_cast<Shared*>(mapped);  // all zero, as a new one is
  if (!shared->begun) make_mutex(shared->mutex);
  shared->begun = true;
  const Mapping mapping{shared, ++shared->processes};
  flock(file, LOCK_UN);  // the mapping keeps the file open
  close(file);
  prctl(PR_SET_PTRACER, PR_SET_PTRACER_ANY);  // peers reach this process' memory
  return mapping;
}

const Mapping& mapping() {
  static const Mapping one = map_fabric();
  return one;
}

bool gone(pid_t process) { return process != 0 && kill(process, 0) != 0 && errno == ESRCH; }

/// The next place that nobody alive has, and one; 0 where there is none.
template <class Table>
std::uint32_t take(Table& table, std::uint32_t& next) {
  for (std::size_t tried = 0; tried < table.size(); ++tried) {
    const std::uint32_t place = next++ % static_cast<std::uint32_t>(table.size());
    if (table[place].owner != 0 && !gone(table[place].owner)) continue;
    table[place] = {};
    table[place].owner = getpid();
    return place + 1;
  }
  return 0;
}

template <class Table>
auto* used(Table& table, std::uint32_t number) {
  return number >= 1 && number <= table.size() && table[number - 1].owner != 0 ? &table[number - 1] : nullptr;
}

}  // namespace

Locked::Locked() : shared_(mapping().shared) {
  if (pthread_mutex_lock(&shared_->mutex) == EOWNERDEAD) pthread_mutex_consistent(&shared_->mutex);
}

Locked::~Locked() { pthread_mutex_unlock(&shared_->mutex); }

std::uint64_t process_number() { return mapping().process; }

SharedQueuePair* pair_of(Shared& fabric, std::uint32_t number) { return used(fabric.pairs, number); }
Region* region_of(Shared& fabric, std::uint32_t key) { return used(fabric.regions, key); }
std::uint32_t take_pair(Shared& fabric) { return take(fabric.pairs, fabric.next_pair); }
std::uint32_t take_region(Shared& fabric) { return take(fabric.regions, fabric.next_region); }

double last_arrival_s() {
  if (watched_pair == 0) return 0;
  const Locked fabric;
  const SharedQueuePair* const pair = pair_of(*fabric, watched_pair);
  return pair == nullptr ? 0 : pair->last_arrival_s;
}

void watch_arrivals(std::uint32_t number) { watched_pair = number; }

bool copy_to(pid_t process, std::uint64_t to, const void* from, std::uint64_t bytes) {
  const iovec here{const_cast<void*>(from), bytes}, there{reinterpret_cast<void*>(to), bytes};
  return process_vm_writev(process, &here, 1, &there, 1, 0) == static_cast<ssize_t>(bytes);
}

bool copy_from(pid_t process, std::uint64_t from, void* to, std::uint64_t bytes) {
  const iovec here{to, bytes}, there{reinterpret_cast<void*>(from), bytes};
  return process_vm_readv(process, &here, 1, &there, 1, 0) == static_cast<ssize_t>(bytes);
}

}  // namespace assay::rdma::simulated
