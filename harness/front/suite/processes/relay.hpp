// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Ranks on nodes that do not see the folder of a run. The plan goes to all of them as a word, the journal to
// rank 0 through the launcher's standard input; new records and announced points come back as marked lines of
// its standard output.
//
//   assay relay here srun ... assay relay rank PLAN assay-rdma --journal FILE ...
#pragma once

#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace assay::suite {

/// The command with both ends of a relay around the launcher. `program` is assay as nodes see it. Throws a
/// usage Error where the plan is longer than a command line takes.
std::vector<std::string> relayed(const std::vector<std::string>& engine_words, const std::string& program,
                                 const std::vector<std::string>& rank_words);

/// Runs the launcher's command to its end on the host that supervises the run, and adds to the files of this
/// host what comes from rank 0. Returns the launcher's exit code, 128 + its signal.
int relay_here(const std::vector<std::string>& words);

/// Runs the module on a node; its words follow the plan. Rank 0 sends what the module writes, unless it sees
/// the supervisor's folder.
int relay_rank(const std::vector<std::string>& words);

/// The files that supervisor and rank 0 share, as a module's words name them; "" where they name none.
struct SharedFiles {
  std::filesystem::path plan, journal, announcements;

  /// Exists while a run is relayed: who sees it needs no relay.
  std::filesystem::path mark() const { return journal.parent_path() / "relayed"; }
};
SharedFiles shared_files_in(const std::vector<std::string>& words);

/// Bytes of a file that grows, as one line of at most that length.
struct RelayPiece {
  char file = 'j';  // j: journal; a: announcements
  bool begins_line = false;
  std::size_t at = 0;  // in rank 0's file
  std::string bytes;
};
std::string to_line(const RelayPiece& piece);
/// `before` receives what a module printed ahead of it. Nothing for another line, or a damaged one.
std::optional<RelayPiece> relay_piece_in(std::string_view line, std::string& before);
/// Whole lines of `text`, which begins at `at` of the file and at the start of a line.
std::vector<RelayPiece> pieces_of(char file, std::size_t at, std::string_view text);

/// Puts pieces together again. A line that lost one is left out whole: its point is measured again.
class RelayedLines {
 public:
  /// The lines that are complete with this piece.
  std::string take(const RelayPiece& piece);
  bool lost_any() const { return lost_; }

 private:
  std::string rest_;
  std::optional<std::size_t> next_ = {};
  bool lost_ = false;
};

/// Input of rank 0: path and content of each file, one after another.
std::string to_input(const std::map<std::string, std::string>& files);
/// Throws core::Error(system) for text that ends too early.
std::map<std::string, std::string> files_from_input(const std::string& text);

}  // namespace assay::suite
