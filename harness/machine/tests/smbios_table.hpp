// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// A table of SMBIOS as firmware writes it, with serial numbers and asset tags that no reader should take.
#pragma once

#include <string>
#include <vector>

namespace assay::machine {

struct DimmInTable {
  std::string locator, bank;
  int megabytes = 0;  // 0x7fff: the extended size counts; 0: an empty slot
  unsigned extended_megabytes = 0;
  int speed = 4800;
  std::string part = "EX64G-4800";
};

struct PowerSupplyInTable {
  std::string location, model;
  int watts = 0x8000;  // unknown
  bool present = true;
};

class SmbiosTable {
 public:
  void add_bios(const std::string& vendor, const std::string& version, const std::string& date);
  void add_dimm(const DimmInTable& dimm);
  void add_power_supply(const PowerSupplyInTable& supply);
  void add_firmware(const std::string& name, const std::string& version);
  std::string take();

 private:
  /// `bytes` follow the header; the numbers of `texts` are in them.
  void add(int type, const std::string& bytes, const std::vector<std::string>& texts);

  std::string table_;
};

}  // namespace assay::machine
