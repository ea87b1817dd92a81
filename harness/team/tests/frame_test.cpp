// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "harness/team/wire/frame.hpp"

#include <gtest/gtest.h>

#include "harness/core/error.hpp"
#include "harness/core/tests/message_of.hpp"

namespace assay::team {
namespace {

using core::tests::message_of;

TEST(Frame, IsALengthATypeAndThePayload) {
  EXPECT_EQ(to_bytes({FrameType::gather, "abc"}), std::string("\0\0\0\3\5abc", 8));
}

TEST(Frame, ComesOutWholeWhateverThePieces) {
  const std::string bytes = to_bytes({FrameType::gather, "abc"}) + to_bytes({FrameType::arrive, ""});
  FrameReader reader;
  std::vector<Frame> frames;
  for (const char byte : bytes) {
    reader.add({&byte, 1});
    while (std::optional<Frame> frame = reader.next()) frames.push_back(*frame);
  }
  ASSERT_EQ(frames.size(), 2u);
  EXPECT_EQ(frames[0].type, FrameType::gather);
  EXPECT_EQ(frames[0].payload, "abc");
  EXPECT_EQ(frames[1].type, FrameType::arrive);
  EXPECT_FALSE(reader.is_amid_frame());
}

TEST(Frame, AStreamThatEndsEarlyIsNoticed) {
  FrameReader reader;
  reader.add(std::string_view("\0\0\0\3\5ab", 7));
  EXPECT_FALSE(reader.next().has_value());
  EXPECT_TRUE(reader.is_amid_frame());
}

TEST(Frame, OfAnotherProtocolIsRefused) {
  FrameReader http;
  http.add("GET / HTTP/1.1\r\n");
  EXPECT_EQ(message_of([&] { http.next(); }), "a frame of unknown type 47");
}

TEST(Frame, OverTheLimitIsRefusedBeforeItHasCome) {
  FrameReader reader;
  reader.add(std::string_view("\0\1\0\1\1", 5));
  EXPECT_EQ(message_of([&] { reader.next(); }), "a frame of 65537 bytes, over the limit of 65536");
  FrameReader trusting;
  trusting.set_limit(frame_limit_bytes);
  trusting.add(std::string_view("\0\1\0\1\1", 5));
  EXPECT_FALSE(trusting.next().has_value());
}

TEST(Frame, AListOfTextsComesBackAsItWas) {
  const std::vector<std::string> texts{"", "one", std::string("\0\1", 2), "four"};
  EXPECT_EQ(unpack(pack(texts)), texts);
  EXPECT_TRUE(unpack("").empty());
}

TEST(Frame, AListWhoseLengthsDoNotAddUpIsRefused) {
  EXPECT_EQ(message_of([] { unpack("abc"); }), "a list of texts that ends inside a length");
  EXPECT_EQ(message_of([] { unpack(std::string_view("\0\0\0\5abc", 7)); }),
            "a list of texts that ends inside a text");
}

}  // namespace
}  // namespace assay::team
