// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// The handshake as bytes in and bytes out: what it lets in, and all that it must not.
#include "harness/team/handshake/handshake.hpp"

#include <gtest/gtest.h>

#include <deque>
#include <optional>
#include <string>
#include <vector>

namespace assay::team {
namespace {

const std::string held_secret = "sixteen bytes at least";
const TeamKey held_key{.source = KeySource::file, .secret = held_secret};
const TeamKey strange_key{.source = KeySource::file, .secret = "sixteen other bytes, too"};
const Errand callers_errand{.purpose = "join", .session = "7.0", .from = 1, .to = 0};
const Errand listeners_errand{.purpose = "join", .session = "7.0", .from = -1, .to = 0};

/// The messages that went over the wire, and how the handshake ended.
struct Outcome {
  std::vector<Frame> messages;
  std::string at_caller, at_listener;  // why refused; empty where not
  bool both_done = false;
  bool keys_match = false;
  bool again = false;  // the caller was told to come again
};

/// Changes the message of this number on its way.
using OnTheWay = std::function<void(std::size_t number, Frame& frame)>;

Outcome shake_hands(Handshake& caller, Handshake& listener, const OnTheWay& on_the_way = {}) {
  Outcome outcome;
  std::optional<Frame> frame = caller.opening();
  bool to_listener = true;
  while (frame) {
    if (on_the_way) on_the_way(outcome.messages.size(), *frame);
    outcome.messages.push_back(*frame);
    try {
      frame = (to_listener ? listener : caller).take(*frame);
    } catch (const Refused& refused) {
      std::string& why = to_listener ? outcome.at_listener : outcome.at_caller;
      if (why.empty()) why = refused.what();
      frame = refused.last_frame();
      outcome.again |= !to_listener && !refused.is_for_good();
    }
    to_listener = !to_listener;
    if (outcome.messages.size() > 8) break;
  }
  outcome.both_done = caller.is_done() && listener.is_done();
  outcome.keys_match = outcome.both_done && caller.keys().sending == listener.keys().receiving &&
                       caller.keys().receiving == listener.keys().sending;
  return outcome;
}

Outcome shake_hands(const Errand& of_caller, const TeamKey& callers, const Errand& of_listener,
                    const TeamKey& listeners, const OnTheWay& on_the_way = {}) {
  Handshake caller = Handshake::of_caller(of_caller, callers);
  Handshake listener = Handshake::of_listener(of_listener, listeners);
  return shake_hands(caller, listener, on_the_way);
}

TEST(Handshake, LetsInWhoHoldsTheKey) {
  Handshake caller = Handshake::of_caller(callers_errand, held_key);
  Handshake listener = Handshake::of_listener(listeners_errand, held_key);
  const Outcome outcome = shake_hands(caller, listener);
  EXPECT_EQ(outcome.at_caller + outcome.at_listener, "");
  EXPECT_TRUE(outcome.keys_match);
  EXPECT_EQ(outcome.messages.size(), 4u);
  EXPECT_EQ(listener.caller(), 1);
  EXPECT_NE(caller.keys().sending, caller.keys().receiving);
}

TEST(Handshake, GivesEveryConnectionKeysOfItsOwn) {
  Handshake one = Handshake::of_caller(callers_errand, held_key),
            other = Handshake::of_caller(callers_errand, held_key);
  Handshake to_one = Handshake::of_listener(listeners_errand, held_key),
            to_other = Handshake::of_listener(listeners_errand, held_key);
  shake_hands(one, to_one);
  shake_hands(other, to_other);
  EXPECT_NE(one.keys().sending, other.keys().sending);
}

TEST(Handshake, SendsNoByteThatTheKeyCouldBeSearchedWithToAStranger) {
  Handshake stranger = Handshake::of_caller(callers_errand, strange_key, std::string(nonce_bytes, 'n'));
  const auto challenge_by = [&](const TeamKey& held) {
    Handshake listener = Handshake::of_listener(listeners_errand, held, std::string(nonce_bytes, 'm'));
    return listener.take(*stranger.opening())->payload;
  };
  EXPECT_EQ(challenge_by(held_key), challenge_by(strange_key))
      << "nothing before the caller's proof depends on the key";
}

TEST(Handshake, RefusesAnotherKeyOnBothSides) {
  const Outcome outcome = shake_hands(callers_errand, strange_key, listeners_errand, held_key);
  EXPECT_FALSE(outcome.both_done);
  EXPECT_EQ(outcome.at_listener,
            "does not hold the key of this host: give both the same key (docs/guide/clusters.md)");
  EXPECT_EQ(outcome.at_caller,
            "turned this host away: it holds another key: give both the same key (docs/guide/clusters.md)");
}

TEST(Handshake, RefusesAListenerThatCannotProveTheKey) {
  Handshake caller = Handshake::of_caller(callers_errand, held_key);
  Handshake impostor = Handshake::of_listener(listeners_errand, strange_key);
  Frame proof = *caller.take(*impostor.take(*caller.opening()));
  EXPECT_THROW(caller.take({FrameType::accepted, hmac_sha256(strange_key.secret, "whatever")}), Refused);
  EXPECT_FALSE(caller.is_done());
}

TEST(Handshake, RefusesWhoseKeyIsMissingOnEitherSide) {
  EXPECT_EQ(shake_hands(callers_errand, {}, listeners_errand, held_key).at_caller,
            "wants a key, and this host has none: give both the same key (docs/guide/clusters.md)");
  EXPECT_EQ(shake_hands(callers_errand, held_key, listeners_errand, {}).at_caller,
            "has no key, and this host has one: give both the same key (docs/guide/clusters.md)");
  EXPECT_TRUE(shake_hands(callers_errand, {}, listeners_errand, {}).keys_match)
      << "neither has one: on loopback, or --open";
}

TEST(Handshake, RefusesEveryMessageWithAnyByteChanged) {
  const Outcome good = shake_hands(callers_errand, held_key, listeners_errand, held_key);
  int tried = 0;
  for (std::size_t number = 0; number < good.messages.size(); ++number)
    for (std::size_t at = 0; at < good.messages[number].payload.size(); ++at)
      for (const int flip : {0x01, 0x80}) {
        const Outcome outcome = shake_hands(
            callers_errand, held_key, listeners_errand, held_key, [&](std::size_t now, Frame& frame) {
              if (now == number) frame.payload[at] = static_cast<char>(frame.payload[at] ^ flip);
            });
        EXPECT_FALSE(outcome.keys_match) << "message " << number << " byte " << at;
        EXPECT_NE(outcome.at_caller + outcome.at_listener, "") << "message " << number << " byte " << at;
        ++tried;
      }
  EXPECT_GT(tried, 300);
}

TEST(Handshake, RefusesEveryMessageOfEveryOtherLength) {
  const Outcome good = shake_hands(callers_errand, held_key, listeners_errand, held_key);
  for (std::size_t number = 0; number < good.messages.size(); ++number)
    for (std::size_t size = 0; size <= good.messages[number].payload.size() + 1; ++size) {
      if (size == good.messages[number].payload.size()) continue;
      const Outcome outcome = shake_hands(callers_errand, held_key, listeners_errand, held_key,
                                          [&](std::size_t now, Frame& frame) {
                                            if (now == number) frame.payload.resize(size, '\0');
                                          });
      EXPECT_FALSE(outcome.both_done) << "message " << number << " of " << size << " bytes";
    }
}

TEST(Handshake, RefusesEveryMessageOfEveryOtherType) {
  for (std::size_t number = 0; number < 4; ++number)
    for (int type = 0; type <= 16; ++type) {
      bool changed = false;
      const Outcome outcome = shake_hands(callers_errand, held_key, listeners_errand, held_key,
                                          [&](std::size_t now, Frame& frame) {
                                            if (now != number || frame.type == static_cast<FrameType>(type))
                                              return;
                                            frame.type = static_cast<FrameType>(type);
                                            changed = true;
                                          });
      EXPECT_EQ(outcome.both_done, !changed) << "message " << number << " as type " << type;
    }
}

TEST(Handshake, RefusesAnOldConversationPlayedAgain) {
  const Outcome old = shake_hands(callers_errand, held_key, listeners_errand, held_key);
  Handshake listener = Handshake::of_listener(listeners_errand, held_key);
  EXPECT_TRUE(listener.take(old.messages[0]).has_value()) << "a hail proves nothing";
  EXPECT_THROW(listener.take(old.messages[2]), Refused);
  Handshake caller = Handshake::of_caller(callers_errand, held_key);
  EXPECT_TRUE(caller.take(old.messages[1]).has_value());
  EXPECT_THROW(caller.take(old.messages[3]), Refused);
}

TEST(Handshake, RefusesItsOwnWordsSentBack) {
  Handshake caller = Handshake::of_caller(callers_errand, held_key);
  EXPECT_THROW(caller.take(*caller.opening()), Refused);
  Handshake other = Handshake::of_caller(callers_errand, held_key);
  Handshake listener = Handshake::of_listener(listeners_errand, held_key);
  Frame proof = *other.take(*listener.take(*other.opening()));
  EXPECT_THROW(other.take({FrameType::accepted, proof.payload}), Refused)
      << "the caller's proof is no listener's";
  Handshake asked = Handshake::of_listener(listeners_errand, held_key);
  const Frame challenge = *asked.take(*Handshake::of_caller(callers_errand, held_key).opening());
  EXPECT_THROW(asked.take(challenge), Refused);
}

TEST(Handshake, RefusesAProofMeantForAnotherListener) {
  // A stranger between: it passes a caller's hail on to another listener of the same key.
  Handshake caller = Handshake::of_caller(callers_errand, held_key);
  Handshake elsewhere =
      Handshake::of_listener({.purpose = "join", .session = "8.0", .from = -1, .to = 0}, held_key);
  EXPECT_THROW(elsewhere.take(*caller.opening()), Refused);
}

TEST(Handshake, RefusesCallersOnOtherErrands) {
  EXPECT_EQ(shake_hands({.purpose = "lead"}, held_key, listeners_errand, held_key).at_listener,
            "comes to lead, not to join");
  const Outcome other_run = shake_hands({.purpose = "join", .session = "8.0", .from = 1, .to = 0}, held_key,
                                        listeners_errand, held_key);
  EXPECT_EQ(other_run.at_listener, "belongs to another run than 7.0");
  EXPECT_TRUE(other_run.again) << "its own rank 0 may listen there soon";
  EXPECT_EQ(shake_hands({.purpose = "join", .session = "7.0", .from = 1, .to = 2}, held_key, listeners_errand,
                        held_key)
                .at_listener,
            "looks for rank 2");
}

TEST(Handshake, NamesAnotherVersion) {
  Handshake listener = Handshake::of_listener(listeners_errand, held_key);
  const std::string hail = pack({"assay-door", "2", "join", "7.0", "1", "0", std::string(nonce_bytes, 'n')});
  try {
    listener.take({FrameType::hail, hail});
    FAIL();
  } catch (const Refused& refused) {
    EXPECT_STREQ(refused.what(), "sent a hail of version 2, not 1: install one version of assay on both");
    EXPECT_TRUE(refused.last_frame().has_value());
  }
}

TEST(Handshake, GoesOnForNobodyOnceItIsOver) {
  Handshake caller = Handshake::of_caller(callers_errand, held_key),
            listener = Handshake::of_listener(listeners_errand, held_key);
  const Outcome outcome = shake_hands(caller, listener);
  for (const Frame& message : outcome.messages) {
    EXPECT_THROW(listener.take(message), Refused);
    EXPECT_THROW(caller.take(message), Refused);
  }
}

TEST(Handshake, WordsOfAPeerReachNoTerminalAsTheyAre) {
  Handshake caller = Handshake::of_caller(callers_errand, held_key);
  try {
    caller.take({FrameType::turned_away, pack({"final", "go\x1b[2J away"})});
    FAIL();
  } catch (const Refused& refused) {
    EXPECT_STREQ(refused.what(), "turned this host away: go?[2J away");
  }
}

/// MUNGE without MUNGE: a credential is the secret behind a word.
TeamKey munged(const std::string& word) {
  return {.source = KeySource::munge, .read_credential = [word](const std::string& credential) {
            if (!credential.starts_with(word))
              throw core::Error(core::ErrorKind::team, "MUNGE: another user's");
            return credential.substr(word.size());
          }};
}

TEST(Handshake, TakesTheKeyOutOfACredential) {
  TeamKey leaders = munged("root:");
  leaders.secret = held_secret;
  leaders.credential = "root:" + held_secret;
  Handshake caller = Handshake::of_caller(callers_errand, munged("root:")),
            listener = Handshake::of_listener(listeners_errand, leaders);
  EXPECT_TRUE(shake_hands(caller, listener).keys_match);
  EXPECT_EQ(caller.secret(), held_secret);
  EXPECT_EQ(shake_hands(callers_errand, munged("eve:"), listeners_errand, leaders).at_caller,
            "gave a key that cannot be read (MUNGE: another user's)");
  EXPECT_EQ(shake_hands(callers_errand, held_key, listeners_errand, leaders).at_caller,
            "has its key from MUNGE, which this host cannot ask: give all members the same --key-file");
  EXPECT_EQ(shake_hands(callers_errand, munged("root:"), listeners_errand, {}).at_caller,
            "has no key, and this host has one: give both the same key (docs/guide/clusters.md)");
}

TEST(Handshake, ReadsOnlyWhatItWrites) {
  const Hail hail = hail_from(to_text(Hail{callers_errand, std::string(nonce_bytes, 'n')}));
  EXPECT_EQ(hail.errand.purpose, "join");
  EXPECT_EQ(hail.errand.session, "7.0");
  EXPECT_EQ(hail.errand.from, 1);
  const Challenge challenge =
      challenge_from(to_text(Challenge{KeyKind::munge, "c", std::string(nonce_bytes, 'm')}));
  EXPECT_EQ(challenge.kind, KeyKind::munge);
  EXPECT_EQ(challenge.credential, "c");
  EXPECT_THROW(hail_from(""), core::Error);
  EXPECT_THROW(hail_from(std::string(handshake_limit_bytes + 1, '\0')), core::Error);
  EXPECT_THROW(hail_from(pack({"assay-door", "1", "join", "", "01", "0", std::string(nonce_bytes, 'n')})),
               core::Error);
  EXPECT_THROW(challenge_from(pack({"assay-door", "1", "open", "", std::string(nonce_bytes, 'n')})),
               core::Error);
}

}  // namespace
}  // namespace assay::team
