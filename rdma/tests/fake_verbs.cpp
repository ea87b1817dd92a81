// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "rdma/tests/fake_verbs.hpp"

#include <arpa/inet.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>

#include "rdma/tests/fake_world.hpp"

namespace assay::rdma::fake {
namespace {

World* living = nullptr;

}  // namespace

World& world() {
  if (living == nullptr) {
    std::fputs("libibverbs was called while no FakeVerbs lives\n", stderr);
    std::abort();
  }
  return *living;
}

World::World(std::vector<DeviceSpec> described) : specs(described.begin(), described.end()) {
  for (const DeviceSpec& spec : specs) {
    ibv_device& device = devices.emplace_back();
    spec.name.copy(device.name, sizeof device.name - 1);
  }
  living = this;
}

World::~World() { living = nullptr; }

ibv_gid gid_of(const std::string& address) {
  ibv_gid gid{};
  if (inet_pton(AF_INET6, address.c_str(), gid.raw) == 1) return gid;
  gid.raw[10] = gid.raw[11] = 0xff;
  inet_pton(AF_INET, address.c_str(), gid.raw + 12);
  return gid;
}

FakeVerbs::FakeVerbs() : FakeVerbs(DeviceSpec{}) {}
FakeVerbs::FakeVerbs(std::vector<DeviceSpec> devices) : world_(std::make_unique<World>(std::move(devices))) {}
FakeVerbs::~FakeVerbs() = default;

void FakeVerbs::fail(const std::string& function, int nth, int error, int rank) {
  const std::lock_guard lock(world_->mutex);
  world_->planned = PlannedFailure{function, nth, error, rank};
  world_->failed.clear();
}

std::string FakeVerbs::failed() const {
  const std::lock_guard lock(world_->mutex);
  return world_->failed;
}

int FakeVerbs::calls(const std::string& function) const {
  const std::lock_guard lock(world_->mutex);
  const auto found = world_->calls.find(function);
  return found == world_->calls.end() ? 0 : found->second;
}

std::string FakeVerbs::left_over() const {
  const std::lock_guard lock(world_->mutex);
  std::string text;
  for (const auto& [kind, count] : world_->alive)
    if (count != 0) text += (text.empty() ? "" : ", ") + kind + ": " + std::to_string(count);
  return text;
}

std::vector<std::string> FakeVerbs::misuse() const {
  const std::lock_guard lock(world_->mutex);
  return world_->misuse;
}

std::vector<Transition> FakeVerbs::transitions() const {
  const std::lock_guard lock(world_->mutex);
  return world_->transitions;
}

void FakeVerbs::lose_message(int nth) {
  const std::lock_guard lock(world_->mutex);
  world_->lose_in = nth;
}

void FakeVerbs::spoil_messages(std::size_t at) {
  const std::lock_guard lock(world_->mutex);
  world_->spoiled_byte = at;
}

void FakeVerbs::hold_completions(bool hold) {
  const std::lock_guard lock(world_->mutex);
  world_->holding = hold;
}

void FakeVerbs::let_complete(int count) {
  const std::lock_guard lock(world_->mutex);
  for (; count > 0 && !world_->held.empty(); --count) {
    const auto [queue, completion] = world_->held.front();
    world_->held.pop_front();
    world_->deliver(*queue, completion);
  }
}

std::vector<FakeVerbs::Posted> FakeVerbs::posted() const {
  const std::lock_guard lock(world_->mutex);
  return world_->posted;
}

void FakeVerbs::raise(ibv_event_type event) {
  const std::lock_guard lock(world_->mutex);
  for (const Context* context : world_->contexts)
    if (write(context->event_write_end, &event, sizeof event) != sizeof event)
      world_->blame("too many events");
}

void FakeVerbs::set_receiver_not_ready_limit(double seconds) {
  const std::lock_guard lock(world_->mutex);
  world_->receiver_not_ready_limit = std::chrono::duration<double>(seconds);
}

void FakeVerbs::silence(std::uint32_t queue_pair) {
  const std::lock_guard lock(world_->mutex);
  if (const auto found = world_->queue_pairs.find(queue_pair); found != world_->queue_pairs.end())
    found->second->silent = true;
}

}  // namespace assay::rdma::fake
