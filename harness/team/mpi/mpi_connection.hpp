// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// A link over MPI: one message a frame. MPI knows no end of a connection, so a link that goes says farewell.
#pragma once

#include <deque>
#include <list>
#include <memory>
#include <string>

#include "harness/team/mpi/mpi_calls.hpp"
#include "harness/team/wire/connection.hpp"

namespace assay::team {

/// MPI between start and finish. finish() waits for all ranks, so it is left out once a link had to give up:
/// the launcher then ends what is left of the run.
class MpiSession {
 public:
  explicit MpiSession(const MpiCalls& calls);
  ~MpiSession();
  MpiSession(const MpiSession&) = delete;
  MpiSession& operator=(const MpiSession&) = delete;

  const MpiCalls& calls() const { return calls_; }
  int rank() const { return rank_; }
  int size() const { return size_; }
  std::string in_words(int code) const;
  void leave_unfinished() { unfinished_ = true; }

 private:
  const MpiCalls& calls_;
  int rank_ = 0;
  int size_ = 1;
  bool unfinished_ = false;
};

class MpiConnection final : public Connection {
 public:
  MpiConnection(std::shared_ptr<MpiSession> session, int peer) : session_(std::move(session)), peer_(peer) {}
  ~MpiConnection() override;

  void send(Frame frame) override;
  void send_last(Frame frame, double limit_s) override;
  void progress() override;
  bool all_sent() const override { return sending_.empty(); }
  std::optional<Frame> receive() override;
  std::string why_closed() const override { return why_closed_; }
  /// Neither end uses this link any more: no farewell.
  void retire() { close_because("is not used any more"); }
  void trust() override {}  // MPI's ranks are all of this run

 private:
  struct Transfer {
    std::string bytes;  // MPI reads or writes here until the request is done
    void* request = nullptr;
  };

  void send_bytes(std::string bytes);
  void progress_sends();
  void progress_receives();
  bool is_done(Transfer& transfer);
  void take(std::string bytes);
  void wait_until_sent(double limit_s);
  void close_because(const std::string& why);

  std::shared_ptr<MpiSession> session_;
  int peer_;
  std::list<Transfer> sending_;
  std::unique_ptr<Transfer> receiving_;
  std::deque<Frame> in_;
  std::string why_closed_;
};

}  // namespace assay::team
