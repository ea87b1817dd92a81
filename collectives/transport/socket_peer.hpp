// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// One connection of a socket mesh: messages to and from one rank, straight out of and into the caller's
// memory.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "harness/core/files/descriptor.hpp"

namespace assay::collectives {

class SocketPeer {
 public:
  /// Takes a connected stream socket, which becomes non-blocking and sends at once what it is given.
  void connect(int rank, core::Descriptor socket);
  bool was_connected() const { return rank_ >= 0; }

  /// Messages may be given before the connection is there.
  void send(std::span<const std::byte> bytes);
  void receive(std::span<std::byte> bytes);

  /// Moves what can be moved without waiting; true where anything moved. Throws core::Error (team) where the
  /// connection has ended, or a message has another size than expected.
  bool progress();
  bool done() const { return sending_.empty() && receiving_.empty(); }
  short awaited_events() const;  // for poll
  int descriptor() const { return socket_.get(); }
  /// Nothing more can be moved: both sides' progress() throws from here on.
  void close() { socket_ = core::Descriptor(); }

 private:
  struct Message {
    std::uint64_t size = 0;  // goes before the bytes
    std::size_t expected = 0;
    std::byte* bytes = nullptr;
    std::size_t moved = 0;  // of size and bytes together

    std::size_t whole() const;
  };

  /// First in, first out. A mesh has two for each rank, most of them never used: without memory until then.
  class Queue {
   public:
    bool empty() const { return messages_.empty(); }
    Message& front() { return messages_[first_]; }
    void push(Message message) { messages_.push_back(message); }
    void pop() {
      if (++first_ < messages_.size()) return;
      messages_.clear();
      first_ = 0;
    }

   private:
    std::vector<Message> messages_;
    std::size_t first_ = 0;
  };

  bool progress_sends();
  bool progress_receives();
  [[noreturn]] void ended(const char* what, int code) const;

  int rank_ = -1;
  core::Descriptor socket_;
  Queue sending_, receiving_;
};

}  // namespace assay::collectives
