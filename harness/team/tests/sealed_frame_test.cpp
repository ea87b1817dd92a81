// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "harness/team/wire/sealed_frame.hpp"

#include <gtest/gtest.h>

#include "harness/core/tests/message_of.hpp"

namespace assay::team {
namespace {

using core::tests::message_of;

const std::string seal_key(32, 'k');

TEST(SealedFrame, ComesOutAsItWentIn) {
  FrameSealer sealer(seal_key);
  FrameOpener opener(seal_key);
  for (const std::string& text : {std::string(), std::string("order"), std::string(100'000, 'x')}) {
    const Frame sealed = sealer.seal({FrameType::broadcast, text});
    EXPECT_EQ(sealed.payload.size(), text.size() + seal_bytes);
    const Frame opened = opener.open(sealed);
    EXPECT_EQ(opened.type, FrameType::broadcast);
    EXPECT_EQ(opened.payload, text);
  }
}

TEST(SealedFrame, WithAnyBitChangedIsRefused) {
  FrameSealer sealer(seal_key);
  const Frame sealed = sealer.seal({FrameType::broadcast, "an order"});
  for (std::size_t at = 0; at < sealed.payload.size(); ++at)
    for (int bit = 0; bit < 8; ++bit) {
      Frame changed = sealed;
      changed.payload[at] = static_cast<char>(changed.payload[at] ^ (1 << bit));
      EXPECT_THROW(FrameOpener(seal_key).open(changed), core::Error) << "byte " << at << " bit " << bit;
    }
  for (std::size_t size = 0; size < sealed.payload.size(); ++size)
    EXPECT_THROW(FrameOpener(seal_key).open({sealed.type, sealed.payload.substr(0, size)}), core::Error);
  EXPECT_THROW(FrameOpener(seal_key).open({FrameType::gather, sealed.payload}), core::Error);
}

TEST(SealedFrame, OfAnotherKeyIsRefused) {
  FrameSealer sealer(seal_key);
  EXPECT_EQ(message_of([&] { FrameOpener("another").open(sealer.seal({FrameType::arrive, ""})); }),
            "a frame whose seal is wrong: it was changed on its way, or comes from someone else");
}

TEST(SealedFrame, SentAgainIsRefused) {
  FrameSealer sealer(seal_key);
  FrameOpener opener(seal_key);
  const Frame first = sealer.seal({FrameType::arrive, ""});
  opener.open(first);
  EXPECT_EQ(message_of([&] { opener.open(first); }),
            "frame 0 where frame 1 is due: it was sent again, or others are lost");
}

TEST(SealedFrame, OutOfOrderOrAfterALossIsRefused) {
  FrameSealer sealer(seal_key);
  sealer.seal({FrameType::arrive, ""});
  const Frame second = sealer.seal({FrameType::arrive, ""});
  EXPECT_EQ(message_of([&] { FrameOpener(seal_key).open(second); }),
            "frame 1 where frame 0 is due: it was sent again, or others are lost");
}

}  // namespace
}  // namespace assay::team
