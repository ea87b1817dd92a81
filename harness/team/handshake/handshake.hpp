// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// How two ends of a connection prove to each other that they hold the same key, before anything else is said.
// Bytes in, bytes out: it knows no sockets.
//
//   caller -> listener   hail       version, errand, nonce
//   listener -> caller   challenge  version, kind of key, MUNGE's credential, nonce
//   caller -> listener   proof      HMAC(key, "caller" + hail + challenge)
//   listener -> caller   accepted   HMAC(key, "listener" + hail + challenge)
//
// The caller proves first, so that a stranger learns nothing that depends on the key. Both proofs hold for
// these two nonces, this errand and this direction only; each direction of what follows has a key of its own
// (sealed_frame.hpp).
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "harness/core/error.hpp"
#include "harness/team/handshake/team_key.hpp"
#include "harness/team/wire/frame.hpp"
#include "harness/team/wire/keyed_hash.hpp"

namespace assay::team {

inline constexpr std::size_t nonce_bytes = 32;
/// No message of a handshake is longer: what a stranger may make this process keep.
inline constexpr std::size_t handshake_limit_bytes = 4096;

/// The purpose of a connection. A listener takes callers of its own purpose, session and number.
struct Errand {
  std::string purpose{};  // "lead", "join", "data"
  std::string session{};  // which job, which mesh
  int from = -1;          // the caller's rank; -1: it says so later
  int to = -1;            // the listener's
};

struct Hail {
  Errand errand;
  std::string nonce;
};

enum class KeyKind { none, shared, munge };

struct Challenge {
  KeyKind kind = KeyKind::none;
  std::string credential{};
  std::string nonce{};
};

std::string to_text(const Hail& hail);
std::string to_text(const Challenge& challenge);
/// Both throw core::Error (team) for other bytes than to_text's, and say so where they are another version's.
Hail hail_from(std::string_view payload);
Challenge challenge_from(std::string_view payload);

/// A handshake that ends without success. what() is a clause that follows the peer's name.
class Refused : public core::Error {
 public:
  /// `for_good`: trying again does not help. `to_peer`: what it may know; empty where it said so itself.
  Refused(const std::string& what, bool for_good, std::string to_peer)
      : Error(core::ErrorKind::team, what), for_good_(for_good), to_peer_(std::move(to_peer)) {}
  bool is_for_good() const { return for_good_; }
  /// Empty where there is nothing to report.
  std::optional<Frame> last_frame() const;

 private:
  bool for_good_;
  std::string to_peer_;
};

/// Keys of what follows, one for each direction.
struct FrameKeys {
  std::string sending, receiving;
};

class Handshake {
 public:
  static Handshake of_caller(Errand errand, TeamKey key, std::string nonce = random_secret(nonce_bytes)) {
    return {Side::caller, std::move(errand), std::move(key), std::move(nonce)};
  }
  static Handshake of_listener(Errand errand, TeamKey key, std::string nonce = random_secret(nonce_bytes)) {
    return {Side::listener, std::move(errand), std::move(key), std::move(nonce)};
  }

  /// A caller's first frame; nothing from a listener.
  std::optional<Frame> opening() const;
  /// The answer to the peer's next message, if one is due. Throws Refused.
  std::optional<Frame> take(const Frame& frame);
  bool is_done() const { return step_ == Step::done; }

  /// From here on: once done.
  FrameKeys keys() const;
  /// The key that both hold; empty where there is none.
  const std::string& secret() const { return key_.secret; }
  /// The caller's rank, as it said (at a listener).
  int caller() const { return caller_; }

 private:
  enum class Side { caller, listener };
  enum class Step { first, second, done };
  Handshake(Side side, Errand errand, TeamKey key, std::string nonce)
      : side_(side), errand_(std::move(errand)), key_(std::move(key)), nonce_(std::move(nonce)) {}

  Frame answer_hail(const Frame& frame);
  Frame answer_proof(const Frame& frame);
  Frame answer_challenge(const Frame& frame);
  void take_accepted(const Frame& frame);
  void learn_secret(const Challenge& challenge);
  std::string mac(std::string_view label) const;

  Side side_;
  Errand errand_;
  TeamKey key_;
  std::string nonce_;
  Step step_ = Step::first;
  std::string transcript_;  // hail and challenge
  int caller_ = -1;
};

}  // namespace assay::team
