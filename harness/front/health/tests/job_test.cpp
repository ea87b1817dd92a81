// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// The services that a job needs, on this machine's own sockets: those that answer, refuse, and stay silent.
#include <arpa/inet.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <net/if.h>
#include <netinet/in.h>
#include <sched.h>
#include <sys/ioctl.h>
#include <sys/mount.h>
#include <sys/wait.h>

#include <fstream>
#include <thread>

#include "harness/core/error.hpp"
#include "harness/core/files/descriptor.hpp"
#include "harness/front/health/checks/checks.hpp"
#include "harness/front/health/job/job_answers.hpp"
#include "harness/front/health/snapshot/read_platform.hpp"
#include "harness/front/health/tests/listener.hpp"
#include "harness/machine/tests/fake_node.hpp"

namespace assay::health {
namespace {

using testing::HasSubstr;

constexpr double short_s = 0.2;

/// Takes one connection, answers its first bytes, and returns these.
std::string answer_one(const Listener& listener, const std::string& text) {
  const core::Descriptor line = listener.accept();
  char block[1024];
  const ssize_t got = ::recv(line.get(), block, sizeof(block), 0);
  ::send(line.get(), text.data(), text.size(), MSG_NOSIGNAL);
  return {block, static_cast<std::size_t>(std::max<ssize_t>(got, 0))};
}

struct Exchange {
  ServiceAnswer answer;
  std::string asked;
};

Exchange exchange(const std::string& text, const std::string& scheme = "http") {
  const Listener listener;
  Exchange done;
  std::thread server([&] { done.asked = answer_one(listener, text); });
  done.answer = ask_registry(listener.address(scheme), patience_s);
  server.join();
  return done;
}

TEST(Registry, ThatAnswersOrWantsCredentialsIsThere) {
  const Exchange open = exchange("HTTP/1.1 200 OK\r\nDocker-Distribution-Api-Version: registry/2.0\r\n\r\n");
  EXPECT_TRUE(open.answer.good) << open.answer.evidence;
  EXPECT_THAT(open.asked, testing::StartsWith("HEAD /v2/ HTTP/1.1\r\nHost: 127.0.0.1:"));
  EXPECT_THAT(open.asked, testing::Not(HasSubstr("Authorization")));
  const Exchange closed = exchange("HTTP/1.1 401 Unauthorized\r\nWww-Authenticate: Bearer\r\n\r\n");
  EXPECT_TRUE(closed.answer.good);
  EXPECT_EQ(closed.answer.evidence, "answers, and wants credentials (401)");
}

TEST(Registry, ThatRefusesOrIsNoneIsNot) {
  EXPECT_EQ(exchange("HTTP/1.1 503 Service Unavailable\r\n\r\n").answer.evidence, "answers 503 to HEAD /v2/");
  EXPECT_EQ(exchange("HTTP/1.1 404 Not Found\r\n\r\n").answer.evidence, "answers 404 to HEAD /v2/");
  const Exchange other = exchange("SSH-2.0-OpenSSH_9.2\r\n");
  EXPECT_FALSE(other.answer.good);
  EXPECT_EQ(other.answer.evidence, "no HTTP answer: 'SSH-2.0-OpenSSH_9.2'");
  const Exchange plain = exchange("HTTP/1.1 400 Bad Request\r\n\r\n", "https");
  EXPECT_FALSE(plain.answer.good);
  EXPECT_THAT(plain.answer.evidence, testing::StartsWith("TLS: "));
}

TEST(Registry, ThatStaysSilentIsGivenUpAtTheDeadline) {
  const Listener silent;
  const ServiceAnswer plain = ask_registry(silent.address(), short_s);
  EXPECT_FALSE(plain.good);
  EXPECT_EQ(plain.evidence, "connected, no answer within 0.2 s");
  EXPECT_EQ(ask_registry(silent.address("https"), short_s).evidence, "connected, no TLS answer within 0.2 s");
}

TEST(Registry, WhereNobodyListensIsRefused) {
  std::string address;
  {
    const Listener gone;
    address = gone.address();
  }
  EXPECT_EQ(ask_registry(address, patience_s).evidence, "127.0.0.1: Connection refused");
}

TEST(Registry, IsNamedWithoutUserOrPath) {
  EXPECT_EQ(registry_address("https://registry.site")->port, "443");
  EXPECT_EQ(registry_address("http://[fd00::1]:5000/")->host, "fd00::1");
  for (const char* other :
       {"registry.site", "ftp://a", "https://me:secret@registry.site", "https://a/v2/", "https://"})
    EXPECT_FALSE(registry_address(other)) << other;
}

TEST(Names, AreLookedUp) {
  const ServiceAnswer here = look_up("127.0.0.1", patience_s);
  EXPECT_TRUE(here.good);
  EXPECT_EQ(here.evidence, "127.0.0.1");
}

void write(const char* file, const std::string& text) { std::ofstream(file) << text; }

/// Makes this process the only one on a network whose name server, 127.0.0.1, is `server`. False where the
/// system gives no namespaces.
bool alone_with_a_silent_resolver(const std::string& folder) {
  const std::string users = fmt::format("0 {} 1", ::getuid()), groups = fmt::format("0 {} 1", ::getgid());
  if (::unshare(CLONE_NEWUSER | CLONE_NEWNET | CLONE_NEWNS) != 0) return false;
  write("/proc/self/setgroups", "deny");
  write("/proc/self/uid_map", users);
  write("/proc/self/gid_map", groups);
  const core::Descriptor any(::socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0));
  ifreq loopback{};
  loopback.ifr_name[0] = 'l', loopback.ifr_name[1] = 'o';
  loopback.ifr_flags = IFF_UP;
  if (::ioctl(any.get(), SIOCSIFFLAGS, &loopback) != 0) return false;
  const std::string servers = folder + "/resolv.conf", order = folder + "/nsswitch.conf";
  write(servers.c_str(), "nameserver 127.0.0.1\noptions timeout:30 attempts:5\n");
  write(order.c_str(), "hosts: dns\n");
  return ::mount(servers.c_str(), "/etc/resolv.conf", nullptr, MS_BIND, nullptr) == 0 &&
         ::mount(order.c_str(), "/etc/nsswitch.conf", nullptr, MS_BIND, nullptr) == 0;
}

constexpr int no_namespaces = 77;

/// In a process of its own: 0 where the lookup was given up at its deadline, after the server had the
/// question.
int look_up_alone(const std::string& folder) {
  if (!alone_with_a_silent_resolver(folder)) return no_namespaces;
  const core::Descriptor server(::socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0));
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  address.sin_port = htons(53);
  if (::bind(server.get(), reinterpret_cast<sockaddr*>(&address), sizeof(address)) != 0) return no_namespaces;
  const ServiceAnswer answer = look_up("registry.site.example", 0.5);
  char question[512];
  const bool asked = ::recv(server.get(), question, sizeof(question), MSG_DONTWAIT) > 0;
  const bool given_up = !answer.good && answer.evidence == "the resolver does not answer within 0.5 s";
  return asked && given_up ? 0 : 1;
}

TEST(Names, OfASilentResolverAreGivenUpAtTheDeadline) {
  const machine::FakeNode scratch;
  const pid_t child = ::fork();
  ASSERT_GE(child, 0);
  if (child == 0) ::_exit(look_up_alone(scratch.root()));
  int status = 0;
  ASSERT_EQ(::waitpid(child, &status, 0), child);
  ASSERT_TRUE(WIFEXITED(status));
  if (WEXITSTATUS(status) == no_namespaces) GTEST_SKIP() << "this system gives a user no namespaces";
  EXPECT_EQ(WEXITSTATUS(status), 0);
}

class Job : public testing::Test {
 protected:
  void expect(const std::string& lines) {
    node_.write("/expect.toml", "source = 'us'\n[job]\n" + lines);
    expected_ = read_expectation(node_.root() + "/expect.toml");
  }
  std::string refused(const std::string& lines) {
    try {
      expect(lines);
    } catch (const core::Error& error) {
      EXPECT_EQ(error.kind(), core::ErrorKind::usage);
      return error.what();
    }
    return "nothing";
  }
  std::vector<std::string> found(const std::string& check) {
    std::vector<std::string> said;
    for (const Finding& finding : judge({now_, now_, expected_}))
      if (finding.check == check)
        said.push_back(std::string(to_string(finding.status)) + " " + finding.unit + ": " + finding.evidence);
    return said;
  }

  machine::FakeNode node_;
  Snapshot now_;
  Expectation expected_;
};

TEST_F(Job, AsksForNothingThatIsNotExpected) {
  expect("deadline_s = 1\n");
  for (const char* check : {"host.dns", "host.registry", "host.container", "host.limits"})
    EXPECT_THAT(found(check), testing::ElementsAre(testing::StartsWith("absent :"))) << check;
}

TEST_F(Job, NamesWhatDidNotAnswer) {
  expect("names = ['a', 'b', 'c']\nregistries = 'http://r:5000'\ncontainer = ['podman', 'run']\n");
  now_.job = {{{"a", true, "192.0.2.1"}, {"b", false, "Name or service not known"}},
              {{"http://r:5000", true, "answers (200)"}},
              {{"podman", false, "not in PATH"}}};
  EXPECT_THAT(
      found("host.dns"),
      testing::ElementsAre("passed a: 192.0.2.1", "failed b: Name or service not known (asked for by us)",
                           "unknown c: it was not asked: a folder was given for this machine"));
  EXPECT_THAT(found("host.registry"), testing::ElementsAre("passed http://r:5000: answers (200)"));
  EXPECT_THAT(found("host.container"), testing::ElementsAre("failed podman: not in PATH (asked for by us)"));
}

TEST_F(Job, HasItsLimits) {
  expect("memlock = 'unlimited'\nopen_files = 65536\nshm = '64GiB'\n");
  now_.platform.locked_bytes = 65536;
  now_.platform.open_files = 1'048'576;
  EXPECT_THAT(found("host.limits"),
              testing::ElementsAre("failed memlock: 64KiB, at least unlimited expected (us)",
                                   "passed open_files: 1048576",
                                   "unknown /dev/shm: it cannot be read; 64GiB expected (us)"));
  now_.platform.locked_bytes = unlimited;
  now_.platform.shared_memory = Space{.bytes = 64ULL << 30};
  EXPECT_THAT(found("host.limits"), testing::Contains("passed memlock: unlimited"));
  EXPECT_THAT(found("host.limits"), testing::Contains("passed /dev/shm: 64GiB"));
}

TEST_F(Job, ReadsTheLimitsOfTheProcess) {
  const std::string text =
      "Limit                     Soft Limit           Hard Limit           Units\n"
      "Max open files            1024                 524288               files\n"
      "Max locked memory         unlimited            unlimited            bytes\n";
  EXPECT_EQ(parse_limit(text, "Max open files"), 1024U);
  EXPECT_EQ(parse_limit(text, "Max locked memory"), unlimited);
  EXPECT_EQ(parse_limit(text, "Max processes"), std::nullopt);
}

TEST_F(Job, IsRefusedByLineAndKeyWhereItIsWrong) {
  EXPECT_THAT(refused("registries = ['https://me:pw@r']\n"),
              HasSubstr("expect.toml:3: job.registries: expected addresses such as"));
  EXPECT_THAT(refused("memlock = 64\n"),
              HasSubstr("expect.toml:3: job.memlock: expected a size with its unit"));
  EXPECT_THAT(refused("deadline_s = 0\n"),
              HasSubstr("expect.toml:3: job.deadline_s: expected a number from 0.1"));
  EXPECT_THAT(refused("dns = 'a'\n"), HasSubstr("expect.toml:3: job.dns"));
}

}  // namespace
}  // namespace assay::health
