// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "harness/front/cli/signing/ssh_keygen.hpp"

#include <fcntl.h>
#include <fmt/format.h>

#include <cstdlib>

#include "harness/core/error.hpp"
#include "harness/core/files/descriptor.hpp"
#include "harness/core/files/whole_file.hpp"
#include "harness/core/process/program_on_path.hpp"
#include "harness/core/process/rest_until.hpp"
#include "harness/core/seconds_since.hpp"
#include "harness/front/suite/processes/child.hpp"

namespace assay::cli {
namespace {

constexpr double keygen_limit_s = 60;  // a key in hardware waits to be touched

/// Without a terminal it would stop at its question for a passphrase: a program answers, the user's where one
/// is set (ssh-keygen(1), since OpenSSH 8.4).
std::vector<std::string> asked_by_program(const std::vector<std::string>& command) {
  std::vector<std::string> words{"/usr/bin/env", "SSH_ASKPASS_REQUIRE=force"};
  if (std::getenv("SSH_ASKPASS") == nullptr) words.emplace_back("SSH_ASKPASS=/bin/false");
  words.insert(words.end(), command.begin(), command.end());
  return words;
}

core::Descriptor opened_for_writing(const std::string& file) {
  return core::Descriptor(::open(file.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600));
}

}  // namespace

SshKeygen::SshKeygen(const std::string& flag) : flag_(flag) {
  const char* const path = std::getenv("PATH");
  program_ = core::program_on_path("ssh-keygen", path == nullptr ? "" : path);
  if (program_.empty()) core::usage_error(flag_ + ": expected ssh-keygen of OpenSSH 8.2 or later in PATH");
}

std::string SshKeygen::file(const std::string& name, const std::string& content) const {
  core::write_whole_file(path_of(name), content);
  return path_of(name);
}

SshKeygen::Said SshKeygen::run(const std::vector<std::string>& words, const std::string& input) const {
  std::vector<std::string> command{program_};
  command.insert(command.end(), words.begin(), words.end());
  const core::Descriptor in(::open(input.c_str(), O_RDONLY | O_CLOEXEC));
  const core::Descriptor out = opened_for_writing(path_of("output")),
                         errors = opened_for_writing(path_of("errors"));
  suite::Child child(asked_by_program(command), {.stdin_descriptor = in.get(),
                                                 .stdout_descriptor = out.get(),
                                                 .stderr_descriptor = errors.get(),
                                                 .dies_within_s = 10});
  const double start = core::steady_seconds();
  while (!child.ended()) {
    if (core::steady_seconds() - start > keygen_limit_s) {
      child.kill_after(0);
      core::usage_error(fmt::format("{}: ssh-keygen did not end within {:g} s", flag_, keygen_limit_s));
    }
    core::rest_until(core::steady_seconds() + 0.01);
  }
  const suite::Ending ending = child.wait();
  return {ending.signal == 0 ? ending.exit_code : -1, core::read_whole_file(path_of("output")),
          core::read_whole_file(path_of("errors"))};
}

}  // namespace assay::cli
