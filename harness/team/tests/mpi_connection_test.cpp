// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// The MPI link over a fake MPI of one process: what is sent comes back, or what the test says.
#include "harness/team/mpi/mpi_connection.hpp"

#include <gtest/gtest.h>

#include <cstring>
#include <deque>

#include "harness/core/tests/message_of.hpp"

namespace assay::team {
namespace {

struct FakeMpi {
  std::deque<std::string> waiting;
  int start_code = 0;
  int probe_code = 0;
  bool sends_stay_open = false;
  int finished = 0;
};
FakeMpi* fake = nullptr;

int start(int* rank, int* size) {
  *rank = 0;
  *size = 2;
  return fake->start_code;
}
int finish() { return ++fake->finished, 0; }
int send(const void* bytes, int count, int, void** request) {
  fake->waiting.emplace_back(static_cast<const char*>(bytes), static_cast<std::size_t>(count));
  *request = &fake->sends_stay_open;
  return 0;
}
int probe(int, int* count, void** message) {
  *message = nullptr;
  if (fake->probe_code != 0 || fake->waiting.empty()) return fake->probe_code;
  *count = static_cast<int>(fake->waiting.front().size());
  *message = fake;
  return 0;
}
int receive(void* bytes, int count, void*, void** request) {
  if (count > 0) std::memcpy(bytes, fake->waiting.front().data(), static_cast<std::size_t>(count));
  fake->waiting.pop_front();
  *request = nullptr;
  return 0;
}
int test(void* request, int* done) {
  *done = request == nullptr || !fake->sends_stay_open;
  return 0;
}
void describe(int code, char* text, int capacity) {
  std::snprintf(text, static_cast<std::size_t>(capacity), "error %d", code);
}

const MpiCalls calls{mpi_calls_revision, start, finish, send, probe, receive, test, describe};

class mpi_link : public testing::Test {
 protected:
  void SetUp() override { fake = &mpi_; }
  FakeMpi mpi_;
};

TEST_F(mpi_link, CarriesFramesInOrder) {
  MpiConnection link(std::make_shared<MpiSession>(calls), 1);
  link.send({FrameType::gather, "abc"});
  link.send({FrameType::arrive, ""});
  EXPECT_EQ(receive_within(link, 1)->payload, "abc");
  EXPECT_EQ(receive_within(link, 1)->type, FrameType::arrive);
  EXPECT_TRUE(link.all_sent());
}

TEST_F(mpi_link, AnEndSaysFarewellAndFinishesMpi) {
  {
    MpiConnection link(std::make_shared<MpiSession>(calls), 1);
  }
  EXPECT_EQ(mpi_.waiting, std::deque<std::string>{""});
  EXPECT_EQ(mpi_.finished, 1);
}

TEST_F(mpi_link, AFarewellClosesIt) {
  MpiConnection link(std::make_shared<MpiSession>(calls), 1);
  mpi_.waiting = {""};
  EXPECT_FALSE(receive_within(link, 1).has_value());
  EXPECT_EQ(link.why_closed(), "closed the connection: its process ended");
}

TEST_F(mpi_link, AfterALastWordNobodyWaitsForAllRanks) {
  {
    MpiConnection link(std::make_shared<MpiSession>(calls), 1);
    link.send_last({FrameType::lost, ""}, 0.1);
  }
  EXPECT_EQ(mpi_.finished, 0);
}

TEST_F(mpi_link, WhatAnExceptionTakesDownWaitsForNobody) {
  const std::string what = core::tests::message_of([] {
    const MpiConnection link(std::make_shared<MpiSession>(calls), 1);
    throw std::runtime_error("gone");
  });
  EXPECT_EQ(what, "gone");
  EXPECT_EQ(mpi_.finished, 0);
}

TEST_F(mpi_link, ErrorsOfMpiAreToldInItsWords) {
  {
    MpiConnection link(std::make_shared<MpiSession>(calls), 1);
    mpi_.probe_code = 7;
    link.progress();
    EXPECT_EQ(link.why_closed(), "cannot be reached any more: error 7");
  }
  mpi_.start_code = 9;
  EXPECT_EQ(core::tests::message_of([] { MpiSession session(calls); }), "start MPI: error 9");
}

}  // namespace
}  // namespace assay::team
