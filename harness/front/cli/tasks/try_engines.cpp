// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "harness/front/cli/tasks/try_engines.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <filesystem>
#include <sstream>

#include "harness/core/error.hpp"
#include "harness/core/files/descriptor.hpp"
#include "harness/core/files/scratch_folder.hpp"
#include "harness/core/files/whole_file.hpp"
#include "harness/core/process/program_on_path.hpp"
#include "harness/core/process/rest_until.hpp"
#include "harness/core/seconds_since.hpp"
#include "harness/front/answers/routes/simulated_net.hpp"
#include "harness/front/suite/processes/child.hpp"

namespace assay::cli {
namespace {

namespace fs = std::filesystem;

constexpr double start_limit_s = 30, sweep_limit_s = 1800;

std::string program(const std::string& name) {
  const char* const path = std::getenv("PATH");
  return core::program_on_path(name, (path ? std::string(path) + ":" : "") + "/usr/sbin:/usr/local/sbin");
}

/// Debian's library that gives programs the simulated subnet for the kernel's.
std::string simulated_umad() {
  std::error_code error;
  for (const auto& folder : fs::directory_iterator("/usr/lib", error))
    if (const fs::path library = folder.path() / "umad2sim" / "libumad2sim.so"; fs::exists(library, error))
      return library.string();
  return "";
}

class SimulatedSubnet {
 public:
  explicit SimulatedSubnet(const answers::SimulatedNet& net)
      : net_(net),
        socket_(fmt::format("assay-{}", ::getpid())),
        silent_(::open("/dev/null", O_WRONLY | O_CLOEXEC)),
        lids_(net.last_lid + net.switches + 2) {
    core::write_whole_file(file("net"), net.net);
  }

  answers::TriedEngine run(const std::string& engine) {
    answers::TriedEngine tried{.engine = engine};
    const std::string folder = file(engine);
    fs::create_directory(folder);
    core::write_whole_file(folder + "/guid2lid", net_.guid2lid);
    suite::Child simulator(simulator_words(), surroundings());
    wait_for(simulator);
    suite::Child manager(manager_words(engine, folder), surroundings());
    const double start = core::steady_seconds();
    while (!manager.ended()) {
      if (core::steady_seconds() - start > sweep_limit_s) {
        tried.failure = fmt::format("no tables after {} s", sweep_limit_s);
        manager.kill_after(0);
        break;
      }
      core::rest_until(core::steady_seconds() + 0.05);
    }
    manager.wait();
    if (tried.failure.empty() && !fs::exists(dump_of(engine))) tried.failure = "opensm wrote no tables";
    if (tried.failure.empty()) tried.used = engine_used(folder + "/log");
    return tried;
  }

  std::string dump_of(const std::string& engine) const { return file(engine) + "/opensm-lfts.dump"; }

 private:
  std::string file(const std::string& name) const { return (scratch_.path() / name).string(); }
  suite::Surroundings surroundings() const {
    return {.stdout_descriptor = silent_.get(), .stderr_descriptor = silent_.get(), .dies_within_s = 10};
  }
  std::vector<std::string> simulator_words() const {
    return {"/usr/bin/env",
            "IBSIM_SOCKNAME=" + socket_,
            program("ibsim"),
            "-s",
            "-n",
            "-N",
            count(net_.nodes),
            "-S",
            count(net_.switches),
            "-P",
            count(net_.ports + net_.nodes),
            "-L",
            count(std::max<std::size_t>(lids_, 1024)),
            file("net")};
  }
  std::vector<std::string> manager_words(const std::string& engine, const std::string& folder) const {
    // The library makes a folder sys-PID where the manager runs, and leaves it when that is killed.
    return {"/usr/bin/env",
            "--chdir=" + folder,
            "IBSIM_SOCKNAME=" + socket_,
            "LD_PRELOAD=" + simulated_umad(),
            "OSM_TMP_DIR=" + folder,
            "OSM_CACHE_DIR=" + folder,
            program("opensm"),
            "-o",
            "-D",
            "0x43",
            "-R",
            engine,
            "-l",
            count(net_.lmc),
            "-f",
            folder + "/log"};
  }
  static std::string count(std::size_t number) { return fmt::format("{}", number); }

  void wait_for(suite::Child& simulator) const {
    const double start = core::steady_seconds();
    while (core::read_whole_file("/proc/net/unix").find("@" + socket_ + ":ctl") == std::string::npos) {
      if (simulator.ended()) core::usage_error("--try: ibsim ended before it had a subnet");
      if (core::steady_seconds() - start > start_limit_s)
        core::usage_error(fmt::format("--try: ibsim does not start within {} s", start_limit_s));
      core::rest_until(core::steady_seconds() + 0.05);
    }
  }

  /// "osm_ucast_mgr_process: minhop tables configured on all switches".
  static std::string engine_used(const std::string& log) {
    std::istringstream lines(core::read_whole_file(log));
    std::string used;
    for (std::string line; std::getline(lines, line);) {
      constexpr std::string_view opening = "osm_ucast_mgr_process: ", closing = " tables configured";
      const std::size_t from = line.find(opening), to = line.find(closing);
      if (from != std::string::npos && to != std::string::npos && from + opening.size() < to)
        used = line.substr(from + opening.size(), to - from - opening.size());
    }
    return used;
  }

  const answers::SimulatedNet& net_;
  core::ScratchFolder scratch_{"engines"};
  std::string socket_;
  core::Descriptor silent_;
  std::size_t lids_;
};

}  // namespace

std::string lacking_for_engines() {
  std::vector<std::string> lacking;
  if (program("opensm").empty()) lacking.emplace_back("opensm");
  if (program("ibsim").empty()) lacking.emplace_back("ibsim-utils");
  if (simulated_umad().empty()) lacking.emplace_back("libumad2sim0");
  return fmt::format("{}", fmt::join(lacking, ", "));
}

std::vector<answers::TriedEngine> try_engines(const answers::RoutesQuestion& question,
                                              const std::vector<std::string>& engines) {
  const answers::SimulatedNet net = answers::simulated_net(question);
  SimulatedSubnet subnet(net);
  std::vector<answers::TriedEngine> all;
  for (const std::string& engine : engines) {
    answers::TriedEngine tried = subnet.run(engine);
    if (tried.failure.empty()) try {
        answers::check_lids(net, subnet.dump_of(engine));
        answers::RoutesQuestion own = question;
        own.path_levels = own.lane_maps = "";
        own.patterns.clear();
        own.set.push_back("routing.file=" + subnet.dump_of(engine));
        tried.row = answers::judge_routes(own).row;
      } catch (const core::Error& error) {
        tried.failure = error.what();
      }
    all.push_back(std::move(tried));
  }
  return all;
}

}  // namespace assay::cli
