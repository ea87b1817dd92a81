// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "harness/machine/tests/smbios_table.hpp"

#include <cstdint>
#include <utility>

namespace assay::machine {
namespace {

constexpr std::size_t header_bytes = 4;

/// The formatted part of a structure, by the offsets of the specification, which count the header.
class Formatted {
 public:
  explicit Formatted(std::size_t length) : bytes_(length - header_bytes, '\0') {}
  Formatted& put(std::size_t at, std::uint64_t value, std::size_t size = 1) {
    for (std::size_t byte = 0; byte < size; ++byte)
      bytes_[at - header_bytes + byte] = static_cast<char>(value >> (8 * byte) & 0xff);
    return *this;
  }
  const std::string& bytes() const { return bytes_; }

 private:
  std::string bytes_;
};

}  // namespace

void SmbiosTable::add(int type, const std::string& bytes, const std::vector<std::string>& texts) {
  table_ += static_cast<char>(type);
  table_ += static_cast<char>(bytes.size() + header_bytes);
  table_ += std::string(2, '\0') + bytes;  // the handle
  for (const std::string& text : texts) table_ += text + '\0';
  table_ += std::string(texts.empty() ? 2 : 1, '\0');
}

void SmbiosTable::add_bios(const std::string& vendor, const std::string& version, const std::string& date) {
  add(0, Formatted(0x1a).put(0x04, 1).put(0x05, 2).put(0x08, 3).bytes(), {vendor, version, date});
}

void SmbiosTable::add_dimm(const DimmInTable& dimm) {
  constexpr std::uint64_t ddr5 = 0x22;
  add(17,
      Formatted(0x5c)
          .put(0x0c, static_cast<std::uint64_t>(dimm.megabytes), 2)
          .put(0x10, 1)
          .put(0x11, 2)
          .put(0x12, ddr5)
          .put(0x15, 5600, 2)
          .put(0x17, 3)
          .put(0x18, 4)
          .put(0x19, 5)
          .put(0x1a, 6)
          .put(0x1c, dimm.extended_megabytes, 4)
          .put(0x20, static_cast<std::uint64_t>(dimm.speed), 2)
          .bytes(),
      {dimm.locator, dimm.bank, "Example", "SERIAL-1", "ASSET-1", dimm.part + "  "});
}

void SmbiosTable::add_power_supply(const PowerSupplyInTable& supply) {
  add(39,
      Formatted(0x16)
          .put(0x05, 1)
          .put(0x06, 2)
          .put(0x07, 3)
          .put(0x08, 4)
          .put(0x09, 5)
          .put(0x0a, 6)
          .put(0x0b, 7)
          .put(0x0c, static_cast<std::uint64_t>(supply.watts), 2)
          .put(0x0e, supply.present ? 0x2 : 0, 2)
          .bytes(),
      {supply.location, "power supply", "Example", "SERIAL-2", "ASSET-2", supply.model, "1.2"});
}

void SmbiosTable::add_firmware(const std::string& name, const std::string& version) {
  add(45, Formatted(0x18).put(0x04, 1).put(0x05, 2).bytes(), {name, version});
}

std::string SmbiosTable::take() {
  add(127, "", {});
  return std::move(table_);
}

}  // namespace assay::machine
