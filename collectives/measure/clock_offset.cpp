// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "collectives/measure/clock_offset.hpp"

#include <array>
#include <cmath>
#include <limits>

#include "harness/core/seconds_since.hpp"

namespace assay::collectives {
namespace {

constexpr int exchanges = 16;

template <class T>
void send(Transport& transport, int to, const T& value) {
  transport.send(to, std::as_bytes(std::span(&value, 1)));
  transport.wait();
}

template <class T>
T receive(Transport& transport, int from) {
  T value{};
  transport.receive(from, std::as_writable_bytes(std::span(&value, 1)));
  transport.wait();
  return value;
}

ClockOffset ask(Transport& transport, int rank) {
  ClockOffset best{0, std::numeric_limits<double>::infinity()};
  for (int i = 0; i < exchanges; ++i) {
    const double asked = core::steady_seconds();
    send(transport, rank, asked);
    const auto theirs = receive<double>(transport, rank);
    const double heard = core::steady_seconds();
    const double uncertainty = (heard - asked) / 2;
    if (uncertainty < best.uncertainty_s) best = {theirs - (asked + heard) / 2, uncertainty};
  }
  if (std::abs(best.seconds) <= best.uncertainty_s) best.seconds = 0;
  return best;
}

}  // namespace

ClockOffset offset_from_rank_0(Transport& transport) {
  if (transport.rank() == 0) {
    for (int rank = 1; rank < transport.size(); ++rank) {
      const ClockOffset offset = ask(transport, rank);
      send(transport, rank, std::array{offset.seconds, offset.uncertainty_s});
    }
    return {};
  }
  for (int i = 0; i < exchanges; ++i) {
    receive<double>(transport, 0);
    send(transport, 0, core::steady_seconds());
  }
  const auto mine = receive<std::array<double, 2>>(transport, 0);
  return {mine[0], mine[1]};
}

}  // namespace assay::collectives
