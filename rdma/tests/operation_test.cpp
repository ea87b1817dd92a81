// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "rdma/verbs/operation.hpp"

#include <gtest/gtest.h>

#include "harness/core/error.hpp"
#include "harness/core/tests/message_of.hpp"
#include "rdma/verbs/check.hpp"
#include "rdma/verbs/memory.hpp"
#include "rdma/verbs/opcode.hpp"

namespace assay::rdma {
namespace {

using core::tests::message_of;

TEST(Operations, GoOverTheTransportsOfTheSpecification) {
  const auto legal_over = [](const char* transport) {
    std::string legal;
    for (const std::string& word : operation_words())
      if (illegal(operation_from(word), transport_from(transport)).empty()) legal += word + " ";
    return legal;
  };
  EXPECT_EQ(legal_over("rc"), "write write_imm send read fetch_add compare_swap ");
  EXPECT_EQ(legal_over("uc"), "write write_imm send ");
  EXPECT_EQ(legal_over("ud"), "send ");
}

TEST(Operations, ThatATransportHasNotAreNamedWithTheSource) {
  EXPECT_EQ(illegal(Operation::read, Transport::uc),
            "UC has no read (InfiniBand specification 1.4, table 38)");
  EXPECT_EQ(illegal(Operation::write, Transport::ud),
            "UD has no write (InfiniBand specification 1.4, table 38)");
}

TEST(Operations, AreKnownByTheirWords) {
  for (const std::string& word : operation_words()) EXPECT_EQ(to_string(operation_from(word)), word);
  for (const std::string& word : transport_words()) EXPECT_EQ(to_string(transport_from(word)), word);
  EXPECT_EQ(message_of([] { operation_from("put"); }),
            "unknown operation 'put' (there are: write write_imm send read fetch_add compare_swap)");
  EXPECT_EQ(message_of([] { transport_from("xrc"); }), "unknown transport 'xrc' (there are: rc uc ud)");
}

TEST(Operations, HaveTheOpcodesOfVerbs) {
  EXPECT_EQ(opcode_of(Operation::write), IBV_WR_RDMA_WRITE);
  EXPECT_EQ(opcode_of(Operation::write_imm), IBV_WR_RDMA_WRITE_WITH_IMM);
  EXPECT_EQ(opcode_of(Operation::send), IBV_WR_SEND);
  EXPECT_EQ(opcode_of(Operation::read), IBV_WR_RDMA_READ);
  EXPECT_EQ(opcode_of(Operation::fetch_add), IBV_WR_ATOMIC_FETCH_AND_ADD);
  EXPECT_EQ(opcode_of(Operation::compare_swap), IBV_WR_ATOMIC_CMP_AND_SWP);
  EXPECT_EQ(type_of(Transport::uc), IBV_QPT_UC);
}

TEST(WorkCompletions, SayTheirNameTheirNumberAndWhatItMeans) {
  EXPECT_EQ(
      describe(IBV_WC_RNR_RETRY_EXC_ERR),
      "IBV_WC_RNR_RETRY_EXC_ERR (13): the peer had no receive posted within all retries: its receive queue "
      "is empty");
  EXPECT_TRUE(
      describe(IBV_WC_RETRY_EXC_ERR).starts_with("IBV_WC_RETRY_EXC_ERR (12): the peer did not answer"));
  EXPECT_EQ(describe(static_cast<ibv_wc_status>(31)), "work completion status 31: of no known meaning");
}

TEST(WorkCompletions, ThrownCarryTheirStatusAndTheVendorsError) {
  ibv_wc completion{};
  completion.status = IBV_WC_WR_FLUSH_ERR;
  completion.vendor_err = 0x88;
  try {
    throw_completion(completion, "write from rank 0");
  } catch (const core::Error& error) {
    EXPECT_STREQ(
        error.what(),
        "write from rank 0: IBV_WC_WR_FLUSH_ERR (5): flushed: the QP had failed before; vendor error 0x88");
    EXPECT_EQ(error.code(), 5);
    EXPECT_EQ(error.kind(), core::ErrorKind::verbs);
  }
}

TEST(Memory, KeepsWhatIsWritten) {
  for (const char* kind : {"host", "huge"}) {
    const auto memory = make_memory(kind, 4096, -1, 0);
    EXPECT_GE(memory->bytes(), 4096U);
    EXPECT_TRUE(memory->host_readable());
    const std::byte written[] = {std::byte{1}, std::byte{2}};
    memory->write(100, written);
    std::byte found[2] = {};
    memory->read(100, found);
    EXPECT_EQ(found[1], std::byte{2}) << kind;
  }
}

TEST(Memory, OfAGpuIsUnsupportedWhereThereIsNone) {
  EXPECT_THROW(make_memory("cuda", 4096, -1, 0), core::Error);
  EXPECT_THROW(make_memory("cuda_dmabuf", 4096, -1, 0), core::Error);
}

}  // namespace
}  // namespace assay::rdma
