// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "results/report/tests/browser_test.hpp"

#include <sys/wait.h>

#include <cstdio>

#include "results/report/report.hpp"

namespace assay::results::test {
namespace {

struct Outcome {
  int exit_code = -1;
  std::string output;
};

Outcome shell(const std::string& command) {
  Outcome outcome;
  FILE* pipe = ::popen(command.c_str(), "r");
  if (!pipe) return outcome;
  char buffer[65536];
  while (const std::size_t got = std::fread(buffer, 1, sizeof buffer, pipe))
    outcome.output.append(buffer, got);
  const int status = ::pclose(pipe);
  outcome.exit_code = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  return outcome;
}

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines(1);
  for (const char byte : text) byte == '\n' ? lines.emplace_back() : lines.back() += byte, void();
  return lines;
}

}  // namespace

void BrowserTest::SetUp() {
  if (shell("command -v chromium").exit_code != 0) GTEST_SKIP() << "chromium is not installed";
  if (!report_has_charts())
    GTEST_SKIP() << "this build has no charts (node and npm, or their registry, were missing)";
}

void BrowserTest::keep(std::string page, const std::string& script) {
  page.insert(page.rfind("</body>"),
              "<script>document.documentElement.dataset.overflow = document.documentElement.scrollWidth - "
              "document.documentElement.clientWidth; document.documentElement.dataset.width = "
              "window.innerWidth;" +
                  script + "</script>");
  write_text(folder_ / "report.html", page);
}

std::string BrowserTest::open(int width, const std::string& more) {
  const std::string log = (folder_ / "log").string();
  const Outcome outcome = shell(
      "timeout 120 chromium --headless --no-sandbox --disable-gpu --disable-quic --no-first-run "
      "--disable-background-networking --disable-component-update --disable-sync --enable-logging=stderr "
      "--user-data-dir='" +
      (folder_ / ("profile" + std::to_string(width))).string() + "' --window-size=" + std::to_string(width) +
      ",2000 --virtual-time-budget=5000 " + more + " --dump-dom 'file://" +
      (folder_ / "report.html").string() + "' 2> '" + log + "'");
  EXPECT_EQ(outcome.exit_code, 0) << read_text(log);
  for (const auto& line : lines_of(read_text(log)))
    if (line.find("CONSOLE") != std::string::npos) complaints_ += line + "\n";
  return outcome.output;
}

std::string BrowserTest::attribute(const std::string& page, const std::string& name) {
  const std::string head = page.substr(0, page.find("<head")), mark = name + "=\"";
  const auto start = head.find(mark);
  if (start == std::string::npos) return "";
  const auto value = start + mark.size();
  return head.substr(value, head.find('"', value) - value);
}

long BrowserTest::count(const std::string& text, const std::string& word) {
  long times = 0;
  for (auto at = text.find(word); at != std::string::npos; at = text.find(word, at + 1)) ++times;
  return times;
}

std::string BrowserTest::part(const std::string& page, const std::string& from, const std::string& to) {
  const auto start = page.find(from);
  if (start == std::string::npos) return "";
  return page.substr(start, page.find(to, start) - start);
}

}  // namespace assay::results::test
