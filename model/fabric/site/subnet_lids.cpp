// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "model/fabric/site/subnet_lids.hpp"

#include <fmt/format.h>

#include <charconv>
#include <cstdint>
#include <map>
#include <optional>
#include <utility>

#include "harness/core/error.hpp"
#include "model/fabric/site/infiniband/tool_text.hpp"
#include "model/json/read_text.hpp"

namespace assay::model::fabric::site {
namespace {

using NodePort = std::pair<std::uint64_t, std::uint32_t>;  // GUID and port

std::optional<std::uint64_t> hex_after(std::string_view text, std::string_view word) {
  const std::size_t at = text.rfind(word);
  if (at == std::string_view::npos) return std::nullopt;
  std::uint64_t number = 0;
  const char* const begin = text.data() + at + word.size();
  const auto [end, error] = std::from_chars(begin, text.data() + text.size(), number, 16);
  return error == std::errc() ? std::optional(number) : std::nullopt;
}

class SubnetReader {
 public:
  explicit SubnetReader(const std::string& file) : file_(file) {}

  /// "... NodeGUID:0002c90000200000 ... {node00 mlx5_0} LID:0002 PN:01 }", hexadecimal, once for each end.
  void read(std::string_view line, bool) {
    ++line_;
    constexpr std::string_view word = "NodeGUID:";
    for (std::size_t at = line.find(word); at != std::string_view::npos;) {
      const std::size_t next = line.find(word, at + 1);
      const std::string_view end = line.substr(at, next == std::string_view::npos ? next : next - at);
      const auto guid = hex_after(end, word), lid = hex_after(end, " LID:"), port = hex_after(end, " PN:");
      if (guid && lid && port)
        lids_[{*guid, within(*port, last_port, "PN")}] = within(*lid, last_unicast_lid, "LID");
      at = next;
    }
  }

  const std::map<NodePort, std::uint32_t>& lids() const { return lids_; }

 private:
  std::uint32_t within(std::uint64_t number, std::uint32_t most, const char* what) const {
    if (number > most)
      core::usage_error(
          fmt::format("{}:{}: {}: expected at most {:X}, got {:X}", file_, line_, what, most, number));
    return static_cast<std::uint32_t>(number);
  }

  const std::string& file_;
  std::size_t line_ = 0;
  std::map<NodePort, std::uint32_t> lids_;
};

std::uint32_t port_number(const SiteEnd& end) {
  const std::string& name = end.full_port.empty() ? end.port : end.full_port;
  const std::size_t slash = name.rfind('/');
  const char* const begin = name.data() + (slash == std::string::npos ? 0 : slash + 1);
  std::uint32_t number = 0;
  std::from_chars(begin, name.data() + name.size(), number);
  return number;
}

}  // namespace

void parse_subnet_lids(std::string_view text, const std::string& file, SiteFabric& site) {
  SubnetReader reader(file);
  parse_lines(text, std::string_view::npos, reader);
  const std::map<NodePort, std::uint32_t>& lids = reader.lids();
  if (lids.empty())
    core::usage_error(file + ": expected lines with NodeGUID, LID and PN, as of opensm-subnet.lst");
  for (SiteEnd& end : site.ports)
    if (const auto found = lids.find({end.guid, port_number(end)}); found != lids.end()) {
      end.lid = found->second;
      end.lmc = 0;
    }
}

void read_subnet_lids(const std::string& file, SiteFabric& site) {
  parse_subnet_lids(read_text(file, "opensm-subnet.lst"), file, site);
}

}  // namespace assay::model::fabric::site
