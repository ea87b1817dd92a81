// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Memory with a fabric handle, on the simulated GPU: reached by another mapping, and why there is none.
#include "harness/cuda/fabric_memory.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstring>
#include <string>

#include "harness/core/error.hpp"
#include "harness/core/tests/message_of.hpp"
#include "harness/cuda/tests/simulated/simulated_gpu.hpp"

namespace assay::cuda {
namespace {

using core::tests::message_of;
using simulated::gpu;
using testing::AllOf;
using testing::HasSubstr;

TEST(FabricMemory, IsReachedThroughItsHandle) {
  const FabricMemory own(0, 1000);
  EXPECT_GE(own.handle().bytes, 1000U);
  std::memset(own.data(), 0x5a, 1000);
  const FabricMemory same(0, fabric_handle_from(to_text(own.handle())));
  EXPECT_NE(same.data(), own.data());
  EXPECT_EQ(same.data()[999], std::byte{0x5a});
  same.data()[0] = std::byte{7};
  EXPECT_EQ(own.data()[0], std::byte{7});
}

TEST(FabricMemory, OfAnotherProcessIsReached) {
  const FabricMemory own(0, 8);
  const pid_t child = fork();
  if (child == 0) {
    FabricMemory(0, own.handle()).data()[3] = std::byte{9};
    _exit(0);
  }
  int status = 0;
  waitpid(child, &status, 0);
  EXPECT_EQ(status, 0);
  EXPECT_EQ(own.data()[3], std::byte{9});
}

TEST(FabricMemory, IsGoneWithItsOwner) {
  FabricHandle handle;
  {
    const FabricMemory own(0, 8);
    handle = own.handle();
  }
  EXPECT_EQ(message_of([&] { FabricMemory(0, handle); }),
            "import a fabric handle: invalid resource handle (error 400)");
}

TEST(FabricMemory, SaysWhatTheSiteMustAllow) {
  gpu().has_imex_channel = false;
  EXPECT_THAT(
      message_of([] { FabricMemory(0, 8); }),
      AllOf(HasSubstr("with a fabric handle: operation not permitted (error 800): it needs GPUs of one"),
            HasSubstr("nvidia-imex"), HasSubstr("/dev/nvidia-caps-imex-channels")));
  EXPECT_THROW(FabricMemory(0, 8), core::Unsupported);
  gpu().has_imex_channel = true;
  EXPECT_FALSE(no_fabric_handles(0));
  gpu().exports_fabric_handles = false;
  EXPECT_THAT(no_fabric_handles(0).value_or(""), HasSubstr("GPU 0 exports no fabric handle"));
  gpu().exports_fabric_handles = true;
}

TEST(FabricHandle, IsReadBackOnlyWhole) {
  FabricHandle handle{.bytes = 42};
  handle.opaque[63] = 0xfe;
  const std::string text = to_text(handle);
  EXPECT_EQ(fabric_handle_from(text).opaque, handle.opaque);
  EXPECT_EQ(fabric_handle_from(text).bytes, 42U);
  for (const std::string& bad : {std::string(), text + "0", text.substr(1 + text.find(' ')),
                                 text.substr(0, text.size() - 1), text.substr(0, text.size() - 1) + "g"})
    EXPECT_THAT(message_of([&] { fabric_handle_from(bad); }), HasSubstr("is not a fabric handle"));
}

}  // namespace
}  // namespace assay::cuda
