// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// The flag that selects the fabric's ports in a site's list, for the commands that read one.
#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

namespace assay::cli {

inline void add_ports(CLI::App& app, std::vector<std::string>& ports) {
  app.add_option("--ports", ports,
                 "only ports of hosts with such a name: \"HOST ADAPTER/PORT\", as '* mlx5_?/1', of lldp "
                 "\"HOST PORT\", as '* eth?'")
      ->type_name("GLOB")
      ->allow_extra_args(false);
}

}  // namespace assay::cli
