// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "harness/front/health/job/job_answers.hpp"

#include <fmt/format.h>

#include <regex>
#include <stdexcept>

#include "harness/core/printable.hpp"
#include "harness/core/process/side_by_side.hpp"
#include "harness/core/version.hpp"
#include "harness/front/health/job/http_line.hpp"
#include "harness/front/health/job/resolve.hpp"

namespace assay::health {
namespace {

/// "HTTP/1.1 401 Unauthorized": 401; 0 for another line.
int http_status_of(const std::string& line) {
  static const std::regex form(R"(HTTP/1\.[01] ([1-5][0-9]{2})( .*)?)");
  std::smatch parts;
  return std::regex_match(line, parts, form) ? std::stoi(parts[1]) : 0;
}

}  // namespace

ServiceAnswer look_up(const std::string& name, double deadline_s) {
  const Resolved found = resolve(name, "", deadline_s);
  if (found.addresses.empty()) return {name, false, found.why};
  return {name, true, found.addresses.front().text()};
}

ServiceAnswer ask_registry(const std::string& address, double deadline_s) {
  const auto server = registry_address(address);
  if (!server) return {address, false, "not an address of a registry"};
  const std::string request =
      fmt::format("HEAD /v2/ HTTP/1.1\r\nHost: {}:{}\r\nUser-Agent: assay/{}\r\nConnection: close\r\n\r\n",
                  server->host.find(':') == std::string::npos ? server->host : "[" + server->host + "]",
                  server->port, core::version());
  try {
    const std::string line = first_line_of_answer(*server, request, deadline_s);
    switch (const int status = http_status_of(line); status) {
      case 200:
        return {address, true, "answers (200)"};
      case 401:
        return {address, true, "answers, and wants credentials (401)"};
      case 0:
        return {address, false, fmt::format("no HTTP answer: '{}'", core::printable(line, 60))};
      default:
        return {address, false, fmt::format("answers {} to HEAD /v2/", status)};
    }
  } catch (const std::runtime_error& error) {
    return {address, false, error.what()};
  }
}

JobAnswers ask_for(const JobNeeds& needs) {
  const std::size_t names = needs.names.size(), all = names + needs.registries.size();
  JobAnswers answers{
      std::vector<ServiceAnswer>(names), std::vector<ServiceAnswer>(needs.registries.size()), {}};
  if (all == 0) return answers;
  core::side_by_side(all,
                     [&](std::size_t at) {
                       if (at < names)
                         answers.names[at] = look_up(needs.names[at], needs.deadline_s);
                       else
                         answers.registries[at - names] =
                             ask_registry(needs.registries[at - names], needs.deadline_s);
                     },
                     {.most = 16});
  return answers;
}

}  // namespace assay::health
