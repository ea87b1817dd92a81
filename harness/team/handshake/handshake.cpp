// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "harness/team/handshake/handshake.hpp"

#include <fmt/format.h>

#include <charconv>
#include <utility>
#include <vector>

#include "harness/team/wire/printable.hpp"

namespace assay::team {
namespace {

// The first two texts of a hail and a challenge stay as they are in every version: members of different
// versions must be able to report that to each other.
constexpr std::string_view door = "assay-door";
constexpr std::string_view door_version = "1";
constexpr const char* same_key = "give both the same key (docs/guide/clusters.md)";

[[noreturn]] void malformed(const std::string& what) { throw core::Error(core::ErrorKind::team, what); }

/// The texts after the first two.
std::vector<std::string> fields_of(std::string_view payload, std::size_t count, const char* what) {
  if (payload.size() > handshake_limit_bytes) malformed(fmt::format("a {} that is too long", what));
  std::vector<std::string> texts = unpack(payload);
  if (texts.size() < 2 || texts[0] != door) malformed(fmt::format("a {} that is not assay's", what));
  if (texts[1] != door_version)
    malformed(fmt::format("a {} of version {}, not {}: install one version of assay on both", what,
                          printable(texts[1]), door_version));
  if (texts.size() != count + 2) malformed(fmt::format("a {} of {} texts", what, texts.size()));
  texts.erase(texts.begin(), texts.begin() + 2);
  return texts;
}

int rank_from(const std::string& text) {
  int rank = 0;
  const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), rank);
  if (problem != std::errc() || end != text.data() + text.size() || rank < -1 || text != std::to_string(rank))
    malformed("a hail with an invalid rank");
  return rank;
}

std::string nonce_from(std::string text) {
  if (text.size() != nonce_bytes) malformed(fmt::format("a nonce of {} bytes", text.size()));
  return text;
}

std::string word_for(KeyKind kind) {
  return kind == KeyKind::munge ? "munge" : kind == KeyKind::shared ? "shared" : "none";
}

KeyKind kind_from(const std::string& text) {
  for (const KeyKind kind : {KeyKind::none, KeyKind::shared, KeyKind::munge})
    if (text == word_for(kind)) return kind;
  malformed("a challenge of an unknown kind");
}

KeyKind kind_of_key(const TeamKey& key) {
  if (!key.credential.empty()) return KeyKind::munge;
  return key.holds_secret() ? KeyKind::shared : KeyKind::none;
}

[[noreturn]] void refuse_peer(const std::string& what, bool for_good, std::string to_peer) {
  throw Refused(what, for_good, std::move(to_peer));
}

/// Malformed bytes end a handshake like a wrong proof.
template <class Parsed>
Parsed parsed(Parsed (*parse)(std::string_view), const Frame& frame) {
  try {
    return parse(frame.payload);
  } catch (const core::Error& error) {
    refuse_peer(fmt::format("sent {}", error.what()), true, fmt::format("it got {}", error.what()));
  }
}

void must_be(const Frame& frame, FrameType due) {
  if (frame.type == FrameType::turned_away) {
    std::vector<std::string> words;
    try {
      words = unpack(frame.payload);
    } catch (const core::Error&) {
      words.clear();
    }
    words.resize(2);
    refuse_peer(fmt::format("turned this host away: {}", printable(words[1])), words[0] != "again", "");
  }
  if (frame.type != due)
    refuse_peer(fmt::format("sent '{}' where '{}' was due", to_string(frame.type), to_string(due)), true,
                fmt::format("a '{}' was due", to_string(due)));
}

/// Empty where the caller is one this listener waits for.
std::string another_errand(const Errand& mine, const Errand& theirs) {
  if (mine.purpose != theirs.purpose)
    return fmt::format("comes to {}, not to {}", printable(theirs.purpose), mine.purpose);
  if (mine.session != theirs.session) return fmt::format("belongs to another run than {}", mine.session);
  if (mine.to != theirs.to) return fmt::format("looks for rank {}", theirs.to);
  return "";
}

}  // namespace

std::string to_text(const Hail& hail) {
  const Errand& errand = hail.errand;
  return pack({std::string(door), std::string(door_version), errand.purpose, errand.session,
               std::to_string(errand.from), std::to_string(errand.to), hail.nonce});
}

std::string to_text(const Challenge& challenge) {
  return pack({std::string(door), std::string(door_version), word_for(challenge.kind), challenge.credential,
               challenge.nonce});
}

Hail hail_from(std::string_view payload) {
  std::vector<std::string> texts = fields_of(payload, 5, "hail");
  return {{std::move(texts[0]), std::move(texts[1]), rank_from(texts[2]), rank_from(texts[3])},
          nonce_from(std::move(texts[4]))};
}

Challenge challenge_from(std::string_view payload) {
  std::vector<std::string> texts = fields_of(payload, 3, "challenge");
  return {kind_from(texts[0]), std::move(texts[1]), nonce_from(std::move(texts[2]))};
}

std::optional<Frame> Refused::last_frame() const {
  if (to_peer_.empty()) return std::nullopt;
  return Frame{FrameType::turned_away, pack({for_good_ ? "final" : "again", to_peer_})};
}

std::optional<Frame> Handshake::opening() const {
  if (side_ == Side::listener) return std::nullopt;
  return Frame{FrameType::hail, to_text(Hail{errand_, nonce_})};
}

std::optional<Frame> Handshake::take(const Frame& frame) {
  if (step_ == Step::done) refuse_peer("continues a handshake that is over", true, "the handshake is over");
  if (side_ == Side::listener) return step_ == Step::first ? answer_hail(frame) : answer_proof(frame);
  if (step_ == Step::first) return answer_challenge(frame);
  take_accepted(frame);
  return std::nullopt;
}

Frame Handshake::answer_hail(const Frame& frame) {
  must_be(frame, FrameType::hail);
  const Hail hail = parsed(hail_from, frame);
  if (const std::string why = another_errand(errand_, hail.errand); !why.empty())
    refuse_peer(why, errand_.purpose != hail.errand.purpose, "this host waits for others: it " + why);
  caller_ = hail.errand.from;
  const std::string challenge = to_text(Challenge{kind_of_key(key_), key_.credential, nonce_});
  transcript_ = pack({frame.payload, challenge});
  step_ = Step::second;
  return {FrameType::challenge, challenge};
}

Frame Handshake::answer_proof(const Frame& frame) {
  must_be(frame, FrameType::proof);
  if (!are_equal_secrets(frame.payload, mac("caller")))
    refuse_peer(fmt::format("does not hold the key of this host: {}", same_key), true,
                fmt::format("it holds another key: {}", same_key));
  step_ = Step::done;
  return {FrameType::accepted, mac("listener")};
}

Frame Handshake::answer_challenge(const Frame& frame) {
  must_be(frame, FrameType::challenge);
  const Challenge challenge = parsed(challenge_from, frame);
  learn_secret(challenge);
  transcript_ = pack({to_text(Hail{errand_, nonce_}), frame.payload});
  step_ = Step::second;
  return {FrameType::proof, mac("caller")};
}

void Handshake::take_accepted(const Frame& frame) {
  must_be(frame, FrameType::accepted);
  if (!are_equal_secrets(frame.payload, mac("listener")))
    refuse_peer("did not prove that it holds the key", false, "the key was not proven");
  step_ = Step::done;
}

/// Never less than this side has: a side with a key takes no listener without one for a member.
void Handshake::learn_secret(const Challenge& challenge) {
  const bool reads = static_cast<bool>(key_.read_credential);
  switch (challenge.kind) {
    case KeyKind::none:
      if (key_.holds_secret() || reads)
        refuse_peer(fmt::format("has no key, and this host has one: {}", same_key), false,
                    "this host has a key");
      return;
    case KeyKind::shared:
      if (key_.holds_secret()) return;
      refuse_peer(
          fmt::format("wants a key, and this host has {}: {}", reads ? "only MUNGE" : "none", same_key), true,
          "this host has no key");
    case KeyKind::munge:
      if (!reads)
        refuse_peer(
            "has its key from MUNGE, which this host cannot ask: give all members the same --key-file", true,
            "this host has no MUNGE");
      try {
        key_.secret = key_.read_credential(challenge.credential);
      } catch (const core::Error& error) {
        refuse_peer(fmt::format("gave a key that cannot be read ({})", error.what()), false,
                    "the credential cannot be read");
      }
      if (key_.secret.size() < least_key_bytes)
        refuse_peer("gave a key that is too short", false, "the key is too short");
  }
}

std::string Handshake::mac(std::string_view label) const {
  return hmac_sha256(key_.secret, pack({std::string(label), transcript_}));
}

FrameKeys Handshake::keys() const {
  std::string of_caller = mac("frames of the caller"), of_listener = mac("frames of the listener");
  if (side_ == Side::caller) return {std::move(of_caller), std::move(of_listener)};
  return {std::move(of_listener), std::move(of_caller)};
}

}  // namespace assay::team
