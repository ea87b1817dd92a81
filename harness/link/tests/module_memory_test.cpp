// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "harness/link/module_memory.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "harness/link/tests/made_up_module.hpp"

namespace assay::link {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

const ModuleReading& reading(const Module& module, const std::string& name) {
  const auto found = std::ranges::find(module.readings, name, &ModuleReading::name);
  if (found == module.readings.end()) throw std::runtime_error("no reading " + name);
  return *found;
}

TEST(ModuleMemory, OfAQsfp28GivesLightCurrentAndTemperatureWithTheirLimits) {
  const Module module = read_module(MadeUpModule::qsfp28().reader());
  EXPECT_EQ(module.kind, "QSFP28");
  EXPECT_EQ(module.part, "SR4");
  EXPECT_EQ(module.serial, "C0001");
  EXPECT_EQ(module.readings.size(), 14U);
  EXPECT_DOUBLE_EQ(reading(module, "temperature").value, 40);
  EXPECT_DOUBLE_EQ(reading(module, "supply").value, 3.3);
  EXPECT_DOUBLE_EQ(reading(module, "rx power of lane 4").value, 1);
  EXPECT_DOUBLE_EQ(reading(module, "bias of lane 4").value, 6);
  EXPECT_DOUBLE_EQ(reading(module, "tx power of lane 1").limits->low_warning, 0.2);
  EXPECT_TRUE(module.flags.empty());
}

TEST(ModuleMemory, TellsAWarningFromAnAlarm) {
  MadeUpModule made = MadeUpModule::qsfp28();
  made.set_word(0, 36, 1500);
  made.set_word(0, 38, 900);
  const Module module = read_module(made.reader());
  EXPECT_EQ(reading(module, "rx power of lane 1").margin(), Margin::inside);
  EXPECT_EQ(reading(module, "rx power of lane 2").margin(), Margin::warning);
  EXPECT_EQ(reading(module, "rx power of lane 3").margin(), Margin::alarm);
}

TEST(ModuleMemory, BelowZeroIsBelowZero) {
  MadeUpModule made = MadeUpModule::qsfp28();
  made.set_word(0, 22, 0x10000 - 10 * 256);
  const Module module = read_module(made.reader());
  EXPECT_DOUBLE_EQ(reading(module, "temperature").value, -10);
  EXPECT_EQ(reading(module, "temperature").margin(), Margin::alarm);
}

TEST(ModuleMemory, NamesLaneAndKindOfEveryFlagOfAQsfp28) {
  MadeUpModule made = MadeUpModule::qsfp28();
  made.set_byte(0, 3, 0x4);
  made.set_byte(0, 4, 0x8);
  made.set_byte(0, 6, 0x20);
  made.set_byte(0, 9, 0x04);
  made.set_byte(0, 14, 0x80);
  EXPECT_THAT(
      read_module(made.reader()).flags,
      ElementsAre("temperature high warning", "rx power low alarm on lane 2", "tx power high alarm on lane 3",
                  "rx loss of signal on lane 3", "tx fault on lane 4"));
}

TEST(ModuleMemory, OfAnOsfpGivesTheActivatedLanes) {
  const Module module = read_module(MadeUpModule::osfp().reader());
  EXPECT_EQ(module.kind, "OSFP");
  EXPECT_EQ(module.part, "DR4");
  EXPECT_EQ(module.readings.size(), 14U);
  EXPECT_DOUBLE_EQ(reading(module, "rx power of lane 4").value, 1);
  EXPECT_DOUBLE_EQ(reading(module, "bias of lane 1").value, 12);
  EXPECT_DOUBLE_EQ(reading(module, "bias of lane 1").limits->high_alarm, 24);
  EXPECT_EQ(reading(module, "tx power of lane 2").margin(), Margin::inside);
}

TEST(ModuleMemory, NamesLaneAndKindOfEveryFlagOfAnOsfp) {
  MadeUpModule made = MadeUpModule::osfp();
  made.set_byte(0, 9, 0x12);
  made.set_byte(0x11, 147, 0x02);
  made.set_byte(0x11, 152, 0x18);  // lanes 4 and 5; lane 5 carries nothing
  EXPECT_THAT(read_module(made.reader()).flags,
              ElementsAre("supply high alarm", "temperature low alarm", "rx loss of signal on lane 2",
                          "rx power low warning on lane 4"));
}

TEST(ModuleMemory, OfACopperCableHasNoReadings) {
  const Module module = read_module(MadeUpModule::copper().reader());
  EXPECT_TRUE(module.copper);
  EXPECT_EQ(module.part, "DAC-2M");
  EXPECT_TRUE(module.readings.empty());
  MadeUpModule active = MadeUpModule::osfp();
  active.set_byte(0, 212, 0xf);
  EXPECT_TRUE(read_module(active.reader()).copper);
}

TEST(ModuleMemory, ThatIsNotReadyIsNotJudged) {
  MadeUpModule qsfp = MadeUpModule::qsfp28();
  qsfp.set_byte(0, 2, 1);
  EXPECT_EQ(read_module(qsfp.reader()).idle, "its readings are not ready");
  MadeUpModule osfp = MadeUpModule::osfp();
  osfp.set_byte(0, 3, 1 << 1);
  EXPECT_EQ(read_module(osfp.reader()).idle, "it is not ready (state 1)");
  osfp.set_byte(0, 3, 3 << 1);
  osfp.set_word(0x11, 128, 0x1111);
  EXPECT_EQ(read_module(osfp.reader()).idle, "no lane of it is activated");
}

TEST(ModuleMemory, WithoutItsPageOfLimitsSaysSo) {
  MadeUpModule made = MadeUpModule::qsfp28();
  made.forget(3);
  const Module module = read_module(made.reader());
  EXPECT_FALSE(module.has_limits);
  EXPECT_FALSE(reading(module, "rx power of lane 1").limits);
}

TEST(ModuleMemory, ThatCannotBeReadIsUnknown) {
  EXPECT_EQ(read_module([](int, int) { return ModuleBytes{{}, "Operation not permitted"}; }).why_unknown,
            "Operation not permitted");
  EXPECT_EQ(read_module([](int, int) { return ModuleBytes{std::string(7, 'x'), ""}; }).why_unknown,
            "7 bytes of 128 came");
  MadeUpModule sfp = MadeUpModule::qsfp28();
  sfp.set_byte(0, 0, 0x03);
  EXPECT_THAT(read_module(sfp.reader()).why_unknown, HasSubstr("a module of kind 0x03"));
  MadeUpModule torn = MadeUpModule::qsfp28();
  torn.set_byte(0, 128, 0xff);
  EXPECT_EQ(read_module(torn.reader()).why_unknown, "its halves contradict each other: 0x11 and 0xff");
  MadeUpModule osfp = MadeUpModule::osfp();
  osfp.forget(0x11);
  EXPECT_EQ(read_module(osfp.reader()).why_unknown, "no such page");
}

TEST(ModuleMemory, OfANetdevThatIsNotThereSaysWhyItCannotBeRead) {
  const Module module = read_module(module_in("no-such-netdev"));
  EXPECT_FALSE(module.why_unknown.empty());
  EXPECT_TRUE(module.readings.empty());
}

}  // namespace
}  // namespace assay::link
