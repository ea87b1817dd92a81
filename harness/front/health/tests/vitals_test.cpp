// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "harness/front/health/snapshot/vitals.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "harness/machine/tests/fake_node.hpp"

namespace assay::health {
namespace {

constexpr const char* counters = "/sys/class/infiniband/mlx5_0/ports/1/counters/";
constexpr const char* package = "/sys/class/powercap/intel-rapl:0/";

class Vitals : public testing::Test {
 protected:
  Vital find(const std::string& unit, const std::string& kind) {
    for (const Vital& vital : reader_.read())
      if (vital.unit == unit && vital.kind == kind) return vital;
    ADD_FAILURE() << "no " << kind << " of " << unit;
    return {};
  }
  void build_port() {
    machine::build_gpus_and_hcas(node_);
    node_.write(std::string(counters) + "port_rcv_data", "1000\n");
    node_.write(std::string(counters) + "symbol_error", "2\n");
    node_.write(std::string(counters) + "port_rcv_errors", "3\n");
  }

  machine::FakeNode node_;
  machine::Nvml no_driver_{"/nonexistent/libnvidia-ml.so.1"};
  VitalsReader reader_{node_.root(), no_driver_};
};

TEST_F(Vitals, OfAPortAreBitsReceivedAndErrorsOfItsReceiver) {
  build_port();
  EXPECT_EQ(find("mlx5_0/1", "moved_bits").value, 32000);
  EXPECT_EQ(find("mlx5_0/1", "link_errors").value, 5);
}

TEST_F(Vitals, ACounterOfErrorsThatIsFullTellsNothing) {
  build_port();
  node_.write(std::string(counters) + "symbol_error", "65535\n");
  EXPECT_FALSE(find("mlx5_0/1", "link_errors").value);
  EXPECT_EQ(find("mlx5_0/1", "link_errors").why_unknown, "symbol_error is full");
}

TEST_F(Vitals, APortWithoutCountersTellsNothing) {
  machine::build_gpus_and_hcas(node_);
  EXPECT_EQ(find("mlx5_0/1", "moved_bits").why_unknown, "no port_rcv_data");
  EXPECT_EQ(find("mlx5_0/1", "link_errors").why_unknown, "the port has no counter of errors");
}

TEST_F(Vitals, EnergyOfAPackageGoesOnWhereItsCounterBeginsAgain) {
  node_.write(std::string(package) + "name", "package-0\n");
  node_.write(std::string(package) + "max_energy_range_uj", "262000000\n");
  node_.write(std::string(package) + "energy_uj", "261000000\n");
  EXPECT_EQ(find("host package-0 (RAPL)", "energy_j").value, 261);
  node_.write(std::string(package) + "energy_uj", "1000000\n");
  EXPECT_EQ(find("host package-0 (RAPL)", "energy_j").value, 263);
}

TEST_F(Vitals, EnergyThatCannotBeReadIsNotTold) {
  EXPECT_EQ(find("host", "energy_j").why_unknown, "no RAPL below /sys/class/powercap");
  node_.write(std::string(package) + "name", "package-0\n");
  node_.make_unreadable(std::string(package) + "energy_uj");
  EXPECT_THAT(find("host package-0 (RAPL)", "energy_j").why_unknown, testing::HasSubstr("only root"));
  EXPECT_FALSE(find("host package-0 (RAPL)", "energy_j").value);
}

TEST(VitalsOfGpus, AreWhatTheDriverTells) {
  const machine::FakeNode node;
  const machine::Nvml nvml(FAKE_NVML);
  VitalsReader reader(node.root(), nvml);
  int energies = 0;
  for (const Vital& vital : reader.read()) {
    if (vital.unit == "GPU 1 0000:23:00.0" && vital.kind == "temperature_c") {
      EXPECT_EQ(vital.value, 45);
    }
    if (vital.kind != "energy_j" || !vital.unit.starts_with("GPU")) continue;
    ++energies;
    EXPECT_NEAR(vital.value.value_or(0), 123456.789, 1e-6);
  }
  EXPECT_EQ(energies, 8);
}

}  // namespace
}  // namespace assay::health
