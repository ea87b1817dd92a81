// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Places in the memory of modules: SNIA SFF-8636 rev 2.10a, sections 6.2 to 6.6; OIF CMIS 5.2, sections 8.2
// to 8.11 (lower memory, pages 00h, 01h, 02h, 11h).
#include "harness/link/module_memory.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <string_view>

namespace assay::link {
namespace {

constexpr std::size_t half = 128;

/// A half page under the addresses that the standards use: the upper half begins at 128.
class Half {
 public:
  Half() = default;
  Half(std::string bytes, std::size_t from) : bytes_(std::move(bytes)), from_(from) {}

  explicit operator bool() const { return !bytes_.empty(); }
  unsigned byte(std::size_t at) const { return static_cast<std::uint8_t>(bytes_.at(at - from_)); }
  unsigned word(std::size_t at) const { return byte(at) << 8 | byte(at + 1); }
  std::string text(std::size_t at, std::size_t size) const {
    std::string text = bytes_.substr(at - from_, size);
    text.erase(text.find_last_not_of(std::string_view(" \0", 2)) + 1);
    return text;
  }

 private:
  std::string bytes_;
  std::size_t from_ = 0;
};

Half half_of(const ReadModule& read, int page, std::size_t from, std::string& why) {
  ModuleBytes got = read(page, static_cast<int>(from));
  if (got.bytes.size() == half) return {std::move(got.bytes), from};
  why = got.why.empty() ? fmt::format("{} bytes of {} came", got.bytes.size(), half) : got.why;
  return {};
}

std::string_view kind_of(unsigned identifier) {
  constexpr std::array<std::pair<unsigned, std::string_view>, 7> kinds{{{0x0c, "QSFP"},
                                                                        {0x0d, "QSFP+"},
                                                                        {0x11, "QSFP28"},
                                                                        {0x18, "QSFP-DD"},
                                                                        {0x19, "OSFP"},
                                                                        {0x1b, "DSFP"},
                                                                        {0x1e, "QSFP with CMIS"}}};
  for (const auto& [number, name] : kinds)
    if (number == identifier) return name;
  return "";
}

bool has_cmis(unsigned identifier) { return identifier >= 0x18; }

/// One kind of reading: where it is, what one step of it is, and where its limits are.
struct Quantity {
  const char* name;
  const char* unit;
  std::size_t at;
  double step;
  bool is_signed;
  std::size_t limits_at;
};

double value_at(const Half& bytes, std::size_t at, const Quantity& quantity) {
  const unsigned word = bytes.word(at);
  const int value = quantity.is_signed ? static_cast<std::int16_t>(word) : static_cast<int>(word);
  return value * quantity.step;
}

/// High alarm, low alarm, high warning, low warning, in both standards. All equal: not given.
std::optional<ModuleLimits> limits_at(const Half& bytes, const Quantity& quantity) {
  if (!bytes) return {};
  const auto limit = [&](std::size_t index) {
    return value_at(bytes, quantity.limits_at + 2 * index, quantity);
  };
  const ModuleLimits limits{limit(0), limit(1), limit(2), limit(3)};
  return limits.high_alarm > limits.low_alarm ? std::optional(limits) : std::nullopt;
}

void add_reading(const Half& values, const Half& limits, const Quantity& quantity, int lane, Module& module) {
  const std::size_t at = quantity.at + 2 * static_cast<std::size_t>(std::max(0, lane - 1));
  module.readings.push_back(
      {.name = lane == 0 ? quantity.name : fmt::format("{} of lane {}", quantity.name, lane),
       .unit = quantity.unit,
       .value = value_at(values, at, quantity),
       .limits = limits_at(limits, quantity)});
}

constexpr std::array<const char*, 4> margins{"high alarm", "low alarm", "high warning", "low warning"};

// --- SFF-8636

constexpr Quantity sff_temperature{"temperature", "°C", 22, 1.0 / 256, true, 128};
constexpr Quantity sff_supply{"supply", "V", 26, 1e-4, false, 144};
constexpr std::array sff_lanes{Quantity{"rx power", "mW", 34, 1e-4, false, 176},
                               Quantity{"bias", "mA", 42, 2e-3, false, 184},
                               Quantity{"tx power", "mW", 50, 1e-4, false, 192}};

/// Four bits of each of two lanes a byte, the first lane's higher, in the order of `margins`.
void add_sff_flags(const Half& lower, Module& module) {
  const auto add = [&](unsigned bits, const std::string& what, const std::string& where) {
    for (std::size_t i = 0; i < margins.size(); ++i)
      if ((bits >> (3 - i) & 1U) != 0)
        module.flags.push_back(fmt::format("{} {}{}", what, margins[i], where));
  };
  add(lower.byte(6) >> 4, "temperature", "");
  add(lower.byte(7) >> 4, "supply", "");
  for (unsigned lane = 0; lane < 4; ++lane) {
    const std::string where = fmt::format(" on lane {}", lane + 1);
    for (const auto& [what, at] : {std::pair{"rx power", 9U}, {"bias", 11U}, {"tx power", 13U}})
      add(lower.byte(at + lane / 2) >> (lane % 2 == 0 ? 4 : 0), what, where);
    if ((lower.byte(3) >> lane & 1U) != 0) module.flags.push_back("rx loss of signal" + where);
    if ((lower.byte(4) >> lane & 1U) != 0) module.flags.push_back("tx fault" + where);
  }
}

/// Both halves begin with the identifier; a bus that does not answer reads as all ones.
Half identity_of(const ReadModule& read, const Half& lower, Module& module) {
  Half upper = half_of(read, 0, half, module.why_unknown);
  if (!upper || upper.byte(half) == lower.byte(0)) return upper;
  module.why_unknown =
      fmt::format("its halves contradict each other: 0x{:02x} and 0x{:02x}", lower.byte(0), upper.byte(half));
  return {};
}

/// True where all received light has limits: it shows a dirty or broken fibre, and nothing is judged without
/// them.
bool has_limits_of_light(const Module& module) {
  return std::ranges::all_of(module.readings, [](const ModuleReading& reading) {
    return !reading.name.starts_with("rx power") || reading.limits.has_value();
  });
}

void read_sff(const ReadModule& read, const Half& lower, Module& module) {
  const Half upper = identity_of(read, lower, module);
  if (!upper) return;
  module.vendor = upper.text(148, 16);
  module.part = upper.text(168, 16);
  module.serial = upper.text(196, 16);
  constexpr unsigned first_copper = 0xa;  // of the transmitter's technology
  module.copper = upper.byte(147) >> 4 >= first_copper;
  if (module.copper) return;
  const unsigned status = lower.byte(2);
  if ((status & 0x1U) != 0) {
    module.idle = "its readings are not ready";
    return;
  }
  std::string ignored;
  const Half limits = (status & 0x4U) == 0 ? half_of(read, 3, half, ignored) : Half();
  add_reading(lower, limits, sff_temperature, 0, module);
  add_reading(lower, limits, sff_supply, 0, module);
  for (int lane = 1; lane <= 4; ++lane)
    for (const Quantity& quantity : sff_lanes) add_reading(lower, limits, quantity, lane, module);
  module.has_limits = has_limits_of_light(module);
  add_sff_flags(lower, module);
}

// --- CMIS

constexpr Quantity cmis_temperature{"temperature", "°C", 14, 1.0 / 256, true, 128};
constexpr Quantity cmis_supply{"supply", "V", 16, 1e-4, false, 136};
constexpr std::array cmis_lanes{Quantity{"tx power", "mW", 154, 1e-4, false, 176},
                                Quantity{"bias", "mA", 170, 2e-3, false, 184},
                                Quantity{"rx power", "mW", 186, 1e-4, false, 192}};

/// Reads the lane's state in page 11h, a nibble a lane, the lower first.
bool is_activated(const Half& lanes, unsigned lane) {
  constexpr unsigned activated = 4;
  return (lanes.byte(128 + lane / 2) >> (lane % 2 == 0 ? 0 : 4) & 0xfU) == activated;
}

void add_cmis_flags(const Half& lower, const Half& lanes, unsigned lane, Module& module) {
  const std::string where = fmt::format(" on lane {}", lane + 1);
  const auto is_set = [&](std::size_t at) { return (lanes.byte(at) >> lane & 1U) != 0; };
  for (const auto& [what, at] :
       {std::pair{"tx fault", 135U}, {"tx loss of signal", 136U}, {"rx loss of signal", 147U}})
    if (is_set(at)) module.flags.push_back(what + where);
  for (const auto& [what, at] : {std::pair{"tx power", 139U}, {"bias", 143U}, {"rx power", 149U}})
    for (std::size_t i = 0; i < margins.size(); ++i)
      if (is_set(at + i)) module.flags.push_back(fmt::format("{} {}{}", what, margins[i], where));
  if (lane != 0) return;
  // The module's own flags: high alarm, low alarm, high warning, low warning from bit 0 on, then those of the
  // supply.
  for (std::size_t i = 0; i < margins.size(); ++i) {
    if ((lower.byte(9) >> i & 1U) != 0) module.flags.push_back(fmt::format("temperature {}", margins[i]));
    if ((lower.byte(9) >> (i + 4) & 1U) != 0) module.flags.push_back(fmt::format("supply {}", margins[i]));
  }
}

void read_cmis_lanes(const ReadModule& read, const Half& lower, const Half& lanes, Module& module) {
  std::string ignored;
  const Half offered = half_of(read, 1, half, ignored), limits = half_of(read, 2, half, ignored);
  add_reading(lower, limits, cmis_temperature, 0, module);
  add_reading(lower, limits, cmis_supply, 0, module);
  const double bias_steps = offered ? 1U << (offered.byte(160) >> 3 & 3U) : 1;
  for (unsigned lane = 0; lane < 8; ++lane) {
    if (!is_activated(lanes, lane)) continue;
    for (Quantity quantity : cmis_lanes) {
      if (quantity.limits_at == 184) quantity.step *= bias_steps;
      add_reading(lanes, limits, quantity, static_cast<int>(lane) + 1, module);
    }
    add_cmis_flags(lower, lanes, lane, module);
  }
  module.has_limits = has_limits_of_light(module);
  constexpr std::size_t of_module = 2;
  if (module.readings.size() == of_module) module.idle = "no lane of it is activated";
}

void read_cmis(const ReadModule& read, const Half& lower, Module& module) {
  const Half upper = identity_of(read, lower, module);
  if (!upper) return;
  module.vendor = upper.text(129, 16);
  module.part = upper.text(148, 16);
  module.serial = upper.text(166, 16);
  constexpr unsigned passive_copper = 3, first_copper = 0xa;  // media type; media interface technology
  module.copper = lower.byte(85) == passive_copper || upper.byte(212) >= first_copper;
  if (module.copper) return;
  constexpr unsigned ready = 3;
  if (const unsigned state = lower.byte(3) >> 1 & 7U; state != ready) {
    module.idle = fmt::format("it is not ready (state {})", state);
    return;
  }
  if ((lower.byte(2) & 0x80U) != 0) {
    module.idle = "it has no pages with readings of its lanes";
    return;
  }
  const Half lanes = half_of(read, 0x11, half, module.why_unknown);
  if (lanes) read_cmis_lanes(read, lower, lanes, module);
}

}  // namespace

Margin ModuleReading::margin() const {
  if (!limits) return Margin::inside;
  if (value > limits->high_alarm || value < limits->low_alarm) return Margin::alarm;
  if (value > limits->high_warning || value < limits->low_warning) return Margin::warning;
  return Margin::inside;
}

Module read_module(const ReadModule& read) {
  Module module;
  const Half lower = half_of(read, 0, 0, module.why_unknown);
  if (!lower) return module;
  module.kind = kind_of(lower.byte(0));
  if (module.kind.empty()) {
    module.why_unknown = fmt::format("a module of kind 0x{:02x}, which is not read", lower.byte(0));
    return module;
  }
  (has_cmis(lower.byte(0)) ? read_cmis : read_sff)(read, lower, module);
  return module;
}

}  // namespace assay::link
