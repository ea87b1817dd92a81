// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// OpenSSH's ssh-keygen as a process, without a terminal: a key with a passphrase is the agent's to open.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "harness/core/files/scratch_folder.hpp"

namespace assay::cli {

class SshKeygen {
 public:
  struct Said {
    int exit_code = 0;
    std::string output, errors;
  };

  /// `flag` is the one that asked for it. Throws a usage Error where PATH has no ssh-keygen.
  explicit SshKeygen(const std::string& flag);

  /// Runs it with these words, and the file as its standard input. Throws a usage Error after 60 s.
  Said run(const std::vector<std::string>& words, const std::string& input = "/dev/null") const;
  /// Writes a file that the words of run() may name, gone with this. Returns its path.
  std::string file(const std::string& name, const std::string& content) const;

 private:
  std::string path_of(const std::string& name) const { return (scratch_.path() / name).string(); }

  std::string flag_, program_;
  core::ScratchFolder scratch_{"ssh-keygen"};
};

}  // namespace assay::cli
