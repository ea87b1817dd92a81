// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Announcements of the points that a module starts, for its supervisor: over a pipe, or, where a launcher is
// between them, from a file in the run's folder.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

namespace assay::suite {

/// The start of a point, as the module announces it: "0.700 0 memory.host.copy bytes=64,threads=1". The same
/// again says that the point continues.
struct Heartbeat {
  double budget_s = 0;
  std::int64_t repetition = 0;
  std::string case_name, key;

  bool operator==(const Heartbeat&) const = default;
};
/// Throws core::Error(system) on any other line.
Heartbeat parse_heartbeat(const std::string& line);

/// How long a point may be silent, between two steps of it: `slack_s` (for preparing, first touch, loading
/// libraries) and five budgets.
double silence_limit_s(const Heartbeat& beat, double slack_s);

/// Announcements as they arrive; may come in pieces.
class Announcements {
 public:
  virtual ~Announcements() = default;

  /// The module's flag that makes it announce here.
  virtual std::string flag() const = 0;
  /// A descriptor that the module must inherit; -1 if none.
  virtual int descriptor() const { return -1; }
  /// To be called once the module was started.
  virtual void started() {}

  /// Waits up to 100 ms. True when at least one whole line came; heard() are then those. Throws
  /// core::Error(system) on any other line.
  bool wait();
  const std::vector<Heartbeat>& heard() const { return heard_; }

 protected:
  /// The text that came within 100 ms, which may be empty.
  virtual std::string more() = 0;

 private:
  std::string text_;
  std::vector<Heartbeat> heard_;
};

/// Announcements through a pipe that the module inherits.
std::unique_ptr<Announcements> announcements_over_pipe();
/// Announcements through `file`, which is created here and removed at the end. Throws core::Error(system)
/// where it cannot be written.
std::unique_ptr<Announcements> announcements_in_file(const std::filesystem::path& file);

}  // namespace assay::suite
