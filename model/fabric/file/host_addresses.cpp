// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Addresses of hosts in a fabric file, which switches hash.
#include <fmt/format.h>

#include <set>
#include <string_view>

#include "model/fabric/file/fabric_sections.hpp"
#include "model/fabric/site/host_list.hpp"

namespace assay::model::fabric {

namespace {

HostAddresses addresses_in(const core::TomlSection& host, std::uint64_t gpus) {
  HostAddresses addresses;
  std::set<std::string_view> seen;
  const std::vector<std::string> texts =
      site::expand_host_list(*host.word("addresses"), host.where("addresses"));
  if (texts.size() != gpus)
    host.refuse("addresses", fmt::format("{} for {} GPUs: expected one for each, that of its NIC port",
                                         texts.size(), gpus));
  for (const std::string& text : texts) {
    if (!path::is_address(text))
      host.refuse("addresses", "expected IPv4 or IPv6 addresses, got '" + text + "'");
    addresses.push_back(path::address_bytes(text));
    if (!seen.insert(text).second)
      host.refuse("addresses", text + " is there twice: expected different addresses");
    if (addresses.back().size() != addresses.front().size())
      host.refuse("addresses", "expected all IPv4 or all IPv6, got " + texts.front() + " and " + text);
  }
  return addresses;
}

}  // namespace

void read_addresses(const core::TomlSection& root, FabricFile& fabric) {
  const auto host = root.table("host");
  if (host && host->has("addresses"))
    fabric.routing.addresses =
        std::make_shared<const HostAddresses>(addresses_in(*host, gpus_of(fabric.shape)));
  else if (fabric.routing.hash != path::SwitchHash::ideal)
    fabric.assumed.emplace_back("hosts with addresses from 10.0.0.0 on");
}

}  // namespace assay::model::fabric
