// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "harness/cuda/timing/stream_gate.hpp"

#include <gtest/gtest.h>

#include <stdexcept>
#include <utility>

#include "harness/core/error.hpp"
#include "harness/cuda/device.hpp"

namespace assay::cuda {
namespace {

TEST(GateHold, StaysClosedUntilOpened) {
  GateWords words;
  GateHold hold(&words, 7);
  EXPECT_EQ(words.opened, 0U);
  hold.open();
  EXPECT_EQ(words.opened, 7U);
}

TEST(GateHold, OpensWhenItIsDestroyed) {
  GateWords words;
  {
    const GateHold hold(&words, 3);
  }
  EXPECT_EQ(words.opened, 3U);
}

TEST(GateHold, OpensWhenQueuingThrows) {
  GateWords words;
  try {
    const GateHold hold(&words, 5);
    throw std::runtime_error("launch failed");
  } catch (const std::runtime_error&) {
  }
  EXPECT_EQ(words.opened, 5U);
}

TEST(GateHold, OpenedOnceStaysOutOfTheWayOfLaterTickets) {
  GateWords words;
  {
    GateHold first(&words, 1);
    first.open();
    GateHold second(&words, 2);
    second.open();
  }  // the first hold is destroyed last and must not close what the second opened
  EXPECT_EQ(words.opened, 2U);
}

TEST(GateHold, MovedFromOpensNothing) {
  GateWords words;
  GateHold first(&words, 9);
  {
    GateHold second(std::move(first));
    EXPECT_EQ(words.opened, 0U);
  }
  EXPECT_EQ(words.opened, 9U);
}

TEST(StreamGate, WithoutADeviceIsAnErrorAndNotACrash) {
  if (!device_unavailable()) GTEST_SKIP() << "this machine has a GPU";
  EXPECT_THROW(StreamGate{}, core::Error);
}

}  // namespace
}  // namespace assay::cuda
