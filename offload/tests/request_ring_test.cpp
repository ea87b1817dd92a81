// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "offload/storage/request_ring.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "harness/core/tests/temporary_folder.hpp"

namespace assay::offload {
namespace {

TEST(RequestRing, CompletesRequestsInAnyOrderOfOffsetsAndTimesEach) {
  if (const auto why = why_no_io_uring()) GTEST_SKIP() << *why;
  const core::tests::TemporaryFolder folder;
  const StorageFile file(folder.path() / "file", Access::update, false);
  std::vector<std::byte> memory(4 * 4096);
  for (std::size_t at = 0; at < memory.size(); ++at) memory[at] = static_cast<std::byte>(at / 4096 + 1);
  std::vector<std::int64_t> offsets{3 * 4096, 0, 2 * 4096, 4096}, seen;
  RequestRing ring(2);
  const auto move_all = [&](bool writes) {
    ring.run({.file = file,
              .file_bytes = 4 * 4096,
              .writes = writes,
              .each_synced = writes,
              .next = [&, at = 0U]() mutable -> std::optional<RequestRing::Request> {
                if (at == offsets.size()) return std::nullopt;
                const std::int64_t offset = offsets[at++];
                return RequestRing::Request{
                    offset, std::span(memory).subspan(static_cast<std::size_t>(offset), 4096)};
              },
              .done =
                  [&](const RequestRing::Request& request, double seconds) {
                    seen.push_back(request.offset);
                    EXPECT_GE(seconds, 0);
                    EXPECT_LT(seconds, 60);
                  }});
  };
  move_all(true);
  const std::vector<std::byte> written = memory;
  std::ranges::fill(memory, std::byte{0});
  move_all(false);
  EXPECT_EQ(memory, written);
  EXPECT_THAT(seen, testing::UnorderedElementsAre(0, 0, 4096, 4096, 8192, 8192, 12288, 12288));
}

TEST(StorageFile, ToBeUpdatedHasNoName) {
  const core::tests::TemporaryFolder folder;
  const StorageFile file(folder.path() / "file", Access::update, true);
  EXPECT_TRUE(std::filesystem::is_empty(folder.path()));
}

}  // namespace
}  // namespace assay::offload
