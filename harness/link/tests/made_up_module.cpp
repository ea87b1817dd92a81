// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "harness/link/tests/made_up_module.hpp"

namespace assay::link {
namespace {

constexpr unsigned degree = 256, volt = 10000, milliwatt = 10000, milliampere = 500;
constexpr unsigned temperature_limits[] = {75 * degree, 0, 70 * degree, 5 * degree};
constexpr unsigned supply_limits[] = {36300, 29700, 34650, 31350};
constexpr unsigned power_limits[] = {3 * milliwatt, milliwatt / 10, 2 * milliwatt, milliwatt / 5};
constexpr unsigned bias_limits[] = {12 * milliampere, 2 * milliampere, 10 * milliampere, 3 * milliampere};

}  // namespace

std::string& MadeUpModule::half_at(int page, std::size_t at) {
  std::string& half = halves_[at < 128 ? std::pair{0, 0} : std::pair{page, 128}];
  half.resize(128, '\0');
  return half;
}

void MadeUpModule::set_byte(int page, std::size_t at, unsigned value) {
  half_at(page, at)[at % 128] = static_cast<char>(value);
}

void MadeUpModule::set_word(int page, std::size_t at, unsigned value) {
  set_byte(page, at, value >> 8);
  set_byte(page, at + 1, value & 0xff);
}

void MadeUpModule::set_text(int page, std::size_t at, const std::string& text) {
  for (std::size_t i = 0; i < 16; ++i)
    set_byte(page, at + i, i < text.size() ? static_cast<unsigned char>(text[i]) : ' ');
}

void MadeUpModule::set_limits(int page, std::size_t at, const unsigned (&values)[4]) {
  for (std::size_t i = 0; i < 4; ++i) set_word(page, at + 2 * i, values[i]);
}

MadeUpModule MadeUpModule::copper() {
  MadeUpModule module;
  module.set_byte(0, 0, 0x11);
  module.set_byte(0, 128, 0x11);
  module.set_byte(0, 147, 0xa0);
  module.set_text(0, 148, "Maker");
  module.set_text(0, 168, "DAC-2M");
  module.set_text(0, 196, "C0001");
  return module;
}

MadeUpModule MadeUpModule::qsfp28() {
  MadeUpModule module = copper();
  module.set_byte(0, 147, 0x00);
  module.set_text(0, 168, "SR4");
  module.set_word(0, 22, 40 * degree);
  module.set_word(0, 26, 33 * volt / 10);
  for (std::size_t lane = 0; lane < 4; ++lane) {
    module.set_word(0, 34 + 2 * lane, milliwatt);
    module.set_word(0, 42 + 2 * lane, 6 * milliampere);
    module.set_word(0, 50 + 2 * lane, milliwatt);
  }
  module.set_limits(3, 128, temperature_limits);
  module.set_limits(3, 144, supply_limits);
  module.set_limits(3, 176, power_limits);
  module.set_limits(3, 184, bias_limits);
  module.set_limits(3, 192, power_limits);
  return module;
}

MadeUpModule MadeUpModule::osfp() {
  MadeUpModule module;
  module.set_byte(0, 0, 0x19);
  module.set_byte(0, 128, 0x19);
  module.set_byte(0, 3, 3 << 1);  // ready
  module.set_word(0, 14, 40 * degree);
  module.set_word(0, 16, 33 * volt / 10);
  module.set_byte(0, 85, 2);  // single mode
  module.set_text(0, 129, "Maker");
  module.set_text(0, 148, "DR4");
  module.set_text(0, 166, "F0001");
  module.set_byte(0, 212, 6);
  module.set_byte(1, 160, 1 << 3);  // bias in steps of 4 uA
  module.set_limits(2, 128, temperature_limits);
  module.set_limits(2, 136, supply_limits);
  module.set_limits(2, 176, power_limits);
  module.set_limits(2, 184, bias_limits);
  module.set_limits(2, 192, power_limits);
  module.set_word(0x11, 128, 0x4444);  // lanes 1 to 4 are activated
  for (std::size_t lane = 0; lane < 4; ++lane) {
    module.set_word(0x11, 154 + 2 * lane, milliwatt);
    module.set_word(0x11, 170 + 2 * lane, 6 * milliampere);
    module.set_word(0x11, 186 + 2 * lane, milliwatt);
  }
  return module;
}

ReadModule MadeUpModule::reader() const {
  return [halves = halves_](int page, int offset) -> ModuleBytes {
    const auto half = halves.find({offset == 0 ? 0 : page, offset});
    return half == halves.end() ? ModuleBytes{{}, "no such page"} : ModuleBytes{half->second, ""};
  };
}

}  // namespace assay::link
