// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "harness/team/tests/test_server.hpp"

#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <fstream>
#include <optional>
#include <sstream>
#include <stdexcept>
#include <thread>

#include "harness/core/tests/eventually.hpp"

namespace assay::team::tests {
namespace {

using core::tests::eventually;

std::filesystem::path fresh_file() {
  std::string name = std::filesystem::temp_directory_path() / "assay_team_XXXXXX";
  const int descriptor = mkstemp(name.data());
  if (descriptor >= 0) close(descriptor);
  return name;
}

}  // namespace

void follow_orders(Team& team) {
  while (true) {
    const std::string order = team.broadcast({}, no_limit);
    if (order == "end") return;
    if (order == "gather") team.gather(team.host_of(team.rank()) + ":" + std::to_string(team.rank()), 10);
    if (order == "barrier") team.barrier(10);
    if (order == "pid") team.gather(std::to_string(getpid()), 10);
    if (order == "abort") {
      signal(SIGABRT, SIG_DFL);
      std::abort();
    }
    if (order == "stop") raise(SIGSTOP);
    while (order == "hang") pause();
    if (order == "throw") throw std::runtime_error("the device went away");
  }
}

Hello hello_of(const std::string& host) { return {host, "0.1.0", wire_protocol, {}}; }

TestServer::TestServer(const Hello& mine, ServeOptions options) : log_file_(fresh_file()) {
  options.port = 0;
  if (options.interface.empty()) options.interface = "127.0.0.1";
  options.log = [file = log_file_](const std::string& line) {
    std::ofstream(file, std::ios::app) << line + "\n";
  };
  std::optional<Server> server(std::in_place, options, mine);
  port_ = server->port();
  process_ = fork();
  if (process_ != 0) return;
  const int ended_by = server->run(follow_orders);
  _exit(100 + ended_by);
}

TestServer::~TestServer() {
  if (process_ > 0) end(SIGKILL);
  std::filesystem::remove(log_file_);
}

std::string TestServer::log() const {
  std::stringstream text;
  text << std::ifstream(log_file_).rdbuf();
  return text.str();
}

std::string TestServer::log_with(const std::string& text) const {
  eventually([&] { return log().find(text) != std::string::npos; });
  return log();
}

int TestServer::end(int signal) {
  kill(process_, signal);
  int status = 0;
  waitpid(process_, &status, 0);
  process_ = -1;
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

std::string failure_to_dial(const std::vector<std::string>& hosts, const Hello& mine,
                            const DialOptions& options) {
  try {
    dial_team(hosts, mine, options);
  } catch (const core::Error& error) {
    return (error.kind() == core::ErrorKind::usage ? "" : "not a usage error: ") + std::string(error.what());
  }
  return "";
}

bool is_gone(pid_t process) {
  return eventually([&] { return kill(process, 0) != 0; });
}

std::vector<pid_t> processes_of(Team& leader) {
  leader.broadcast("pid", 10);
  std::vector<pid_t> processes;
  for (const std::string& text : leader.gather(std::to_string(getpid()), 10))
    processes.push_back(std::stoi(text));
  return processes;
}

}  // namespace assay::team::tests
