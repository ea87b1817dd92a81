// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Rates in the port lines of ibnetdiscover: "4xNDR", and behind it with --full the codes that PortInfo has
// for speed (s=, e= for extended speeds) and width (w=).
#pragma once

#include <string>

namespace assay::model::fabric::site {

struct IbRate {
  double gbit_per_s = 0;       // of data, all lanes; 0: not stated, or not known
  std::string stated;          // as the line has it, "4xNDR" or "s=4 w=2"; empty: it states none
  bool by_speed_code = false;  // of s= alone, which is SDR or QDR on extended links too
};

/// The rate in `rest`, a port line behind the peer's description: " lid 7 4xHDR s=1 w=2 v=4".
IbRate ib_rate(const std::string& rest);

}  // namespace assay::model::fabric::site
