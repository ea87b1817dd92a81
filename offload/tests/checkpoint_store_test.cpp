// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "offload/checkpoint/checkpoint_store.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <chrono>
#include <csignal>
#include <fstream>
#include <random>
#include <thread>

#include "harness/core/tests/interval_timer.hpp"
#include "harness/core/tests/message_of.hpp"
#include "harness/core/tests/temporary_folder.hpp"
#include "harness/host/arena.hpp"

namespace assay::offload {
namespace {

using core::tests::message_of;
using core::tests::TemporaryFolder;
using testing::ElementsAre;
using testing::HasSubstr;

constexpr std::int64_t state_bytes = 24 * direct_alignment;
constexpr ShardSettings settings{.shards = 3, .ring = {.block_bytes = 2 * direct_alignment, .depth = 4}};

/// The state of a job at a generation: no two have a word in common at the same place.
void set_state(host::Arena& arena, std::int64_t generation) {
  std::uint64_t place = 0;
  for (std::uint64_t& word : arena.as<std::uint64_t>())
    word = (place++ << 32) + static_cast<std::uint64_t>(generation);
}

bool is_state(const host::Arena& arena, std::int64_t generation) {
  std::uint64_t place = 0;
  for (const std::uint64_t word : arena.as<std::uint64_t>())
    if (word != (place++ << 32) + static_cast<std::uint64_t>(generation)) return false;
  return true;
}

class CheckpointStoreTest : public testing::Test {
 protected:
  void SetUp() override {
    if (const auto why = why_no_io_uring()) GTEST_SKIP() << *why;
  }
  CheckpointStore open() const { return {folder_.path(), settings, state_bytes}; }
  std::filesystem::path file(const char* name) const { return folder_.path() / name; }
  void save(CheckpointStore& store, std::int64_t generation) {
    set_state(state_, generation);
    EXPECT_EQ(store.save(state_.as<std::byte>()).generation, generation);
  }
  void flip_a_byte_of(const char* name) const {
    std::fstream(file(name), std::ios::in | std::ios::out | std::ios::binary).seekp(4097).put(1);
  }

  TemporaryFolder folder_;
  host::Arena state_{state_bytes, -1, host::Pages::base}, restored_{state_bytes, -1, host::Pages::base};
};

TEST_F(CheckpointStoreTest, RestoresTheLastOfSeveralAndKeepsTwo) {
  CheckpointStore store = open();
  for (std::int64_t generation = 1; generation <= 4; ++generation) save(store, generation);
  EXPECT_THAT(store.generations(), ElementsAre(3, 4));
  CheckpointStore later = open();
  EXPECT_EQ(later.restore(restored_.as<std::byte>()).generation, 4);
  EXPECT_TRUE(is_state(restored_, 4));
}

TEST_F(CheckpointStoreTest, IsReadByAStoreOfOtherShardsAndBlocks) {
  CheckpointStore store = open();
  save(store, 1);
  CheckpointStore other(folder_.path(), {.shards = 1, .checksums = false}, state_bytes);
  EXPECT_EQ(other.restore(restored_.as<std::byte>()).generation, 1);
  EXPECT_TRUE(is_state(restored_, 1));
}

TEST_F(CheckpointStoreTest, WithoutACheckpointSaysSo) {
  EXPECT_EQ(message_of([&] { open().restore(restored_.as<std::byte>()); }),
            folder_.path().string() + " holds no checkpoint");
}

TEST_F(CheckpointStoreTest, OfAnotherSizeIsRefused) {
  CheckpointStore store = open();
  save(store, 1);
  CheckpointStore other(folder_.path(), settings, state_bytes * 2);
  host::Arena larger(state_bytes * 2, -1, host::Pages::base);
  EXPECT_EQ(message_of([&] { other.restore(larger.as<std::byte>()); }),
            file("checkpoint-1.manifest").string() + " is of 98304 bytes, expected 196608");
}

TEST_F(CheckpointStoreTest, NamesACorruptedShardAndRestoresTheGenerationBefore) {
  CheckpointStore store = open();
  save(store, 1);
  save(store, 2);
  flip_a_byte_of("checkpoint-2-1.shard");
  const Restored restored = store.restore(restored_.as<std::byte>());
  EXPECT_EQ(restored.generation, 1);
  EXPECT_TRUE(is_state(restored_, 1));
  EXPECT_THAT(restored.damages,
              ElementsAre(HasSubstr("checkpoint-2-1.shard: its bytes are not those that were written")));
}

TEST_F(CheckpointStoreTest, NamesAMissingShardAndOneCutShort) {
  CheckpointStore store = open();
  save(store, 1);
  save(store, 2);
  std::filesystem::remove(file("checkpoint-1-2.shard"));
  std::filesystem::resize_file(file("checkpoint-2-0.shard"), 4096);
  const std::string said = message_of([&] { store.restore(restored_.as<std::byte>()); });
  EXPECT_THAT(said, HasSubstr(" holds no checkpoint that is whole: "));
  EXPECT_THAT(said, HasSubstr("checkpoint-2-0.shard: the file ends at byte "));
  EXPECT_THAT(said, HasSubstr("checkpoint-1-2.shard: No such file or directory"));
}

TEST_F(CheckpointStoreTest, NamesADamagedManifest) {
  CheckpointStore store = open();
  save(store, 1);
  std::fstream(file("checkpoint-1.manifest"), std::ios::in | std::ios::out).seekp(12).put('x');
  EXPECT_THAT(message_of([&] { store.restore(restored_.as<std::byte>()); }),
              HasSubstr("checkpoint-1.manifest is not a whole manifest: its digest does not fit its text"));
}

TEST_F(CheckpointStoreTest, LeavesWhatIsThereWhereTheDeviceTakesNoMore) {
  CheckpointStore store = open();
  save(store, 1);
  set_state(state_, 2);
  // Files may not grow beyond a block: as a full device, without one.
  std::signal(SIGXFSZ, SIG_IGN);
  rlimit before{};
  getrlimit(RLIMIT_FSIZE, &before);
  const rlimit little{.rlim_cur = direct_alignment, .rlim_max = before.rlim_max};
  setrlimit(RLIMIT_FSIZE, &little);
  const std::string said = message_of([&] { store.save(state_.as<std::byte>()); });
  setrlimit(RLIMIT_FSIZE, &before);
  EXPECT_THAT(said, HasSubstr("checkpoint-2-"));
  EXPECT_THAT(said, HasSubstr("File too large"));
  EXPECT_THAT(store.generations(), ElementsAre(1));
  EXPECT_FALSE(std::filesystem::exists(file("checkpoint-2-0.shard")));
  EXPECT_EQ(store.restore(restored_.as<std::byte>()).generation, 1);
  EXPECT_TRUE(is_state(restored_, 1));
}

TEST_F(CheckpointStoreTest, LeavesFilesOfOthersAlone) {
  for (const char* name : {"checkpoint-notes.txt", "checkpoint-3.txt", "model.shard"})
    std::ofstream(file(name)) << "theirs";
  CheckpointStore store = open();
  save(store, 1);
  for (const char* name : {"checkpoint-notes.txt", "checkpoint-3.txt", "model.shard"})
    EXPECT_TRUE(std::filesystem::exists(file(name))) << name;
}

/// Saves one generation after the other and tells of each through the pipe, until it is killed.
[[noreturn]] void save_until_killed(CheckpointStore store, host::Arena& state, int told,
                                    std::chrono::microseconds alarm) {
  signal(SIGALRM, SIG_DFL);
  core::tests::send_alarm_after(alarm);
  for (std::int64_t generation = store.generations().empty() ? 1 : store.generations().back() + 1;;
       ++generation) {
    set_state(state, generation);
    store.save(state.as<std::byte>());
    if (write(told, &generation, sizeof generation) != sizeof generation) _exit(1);
  }
}

TEST_F(CheckpointStoreTest, KilledAtAHundredMomentsNeverLosesACompletedSave) {
  std::int64_t last_told = 0;
  int killed_while_saving = 0;
  // A busy machine spends less of the time in a save: then more moments are needed.
  for (unsigned seed = 0; seed < 100 || (killed_while_saving < 30 && seed < 1000); ++seed) {
    std::array<int, 2> told{};
    ASSERT_EQ(pipe(told.data()), 0);
    const pid_t child = fork();
    if (child == 0) {
      std::mt19937 random(seed);
      const std::chrono::microseconds alarm(std::uniform_int_distribution(0, 20'000)(random));
      save_until_killed(open(), state_, told[1], alarm);
    }
    close(told[1]);
    int status = 0;
    ASSERT_EQ(waitpid(child, &status, 0), child);
    ASSERT_TRUE(WIFSIGNALED(status) && WTERMSIG(status) == SIGALRM) << status;
    for (std::int64_t generation = 0; read(told[0], &generation, sizeof generation) == sizeof generation;)
      last_told = generation;
    close(told[0]);
    for (const auto& entry : std::filesystem::directory_iterator(folder_.path()))
      if (entry.path().filename().string().starts_with("checkpoint-" + std::to_string(last_told + 1))) {
        ++killed_while_saving;
        break;
      }
    if (last_told == 0) continue;
    CheckpointStore after = open();
    const Restored restored = after.restore(restored_.as<std::byte>());
    EXPECT_THAT(restored.damages, testing::IsEmpty()) << "seed " << seed;
    // Killed after the commit and before it could tell: then it is the next.
    EXPECT_THAT(restored.generation, testing::AnyOf(last_told, last_told + 1)) << "seed " << seed;
    EXPECT_TRUE(is_state(restored_, restored.generation)) << "seed " << seed;
    last_told = restored.generation;
  }
  EXPECT_GE(killed_while_saving, 30);
}

}  // namespace
}  // namespace assay::offload
