// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "harness/machine/cuda_driver.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "harness/machine/describe/describe.hpp"
#include "harness/machine/machine.hpp"
#include "harness/machine/tests/fake_node.hpp"

namespace assay::machine {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

std::string said_of(const std::string& installed, const std::string& toolkit,
                    const std::string& offers = "") {
  const auto old = driver_too_old({.installed = installed, .offers = offers}, toolkit);
  return old ? old->sentence() : "";
}

/// As the package cuda-compat installs it.
void install_compatibility(FakeNode& node, const std::string& cuda, const std::string& driver) {
  const std::string folder = "/usr/local/" + cuda + "/compat/";
  node.write(folder + "libcuda.so." + driver, "");
  node.link(folder + "libcuda.so.1", "libcuda.so." + driver);
}

TEST(CudaDriver, TooOldIsOneSentenceWithBothVersionsAndThreeWaysOut) {
  EXPECT_EQ(
      said_of("535.161.08", "13.0"),
      "NVIDIA driver 535.161.08 is older than 580.65.06, which programs made with CUDA 13.0 need: install "
      "that driver or a later one, or NVIDIA's package cuda-compat-13-0 (data-centre GPUs only), or a "
      "build of assay with CUDA 12 (scripts/configure --cuda)");
}

TEST(CudaDriver, OfEachAgeStartsItsOwnMajorVersionAndOlderOnes) {
  for (const char* driver : {"525.60.13", "535.161.08", "550.54.15", "575.57.08"}) {
    EXPECT_THAT(said_of(driver, "13.0"), HasSubstr(driver));
    for (const char* toolkit : {"12.0", "12.4", "12.9", "11.8"})
      EXPECT_EQ(said_of(driver, toolkit), "") << driver;
  }
  for (const char* driver : {"580.65.06", "580.159", "590.44.01", "1000.1"})
    EXPECT_EQ(said_of(driver, "13.2"), "") << driver;
  EXPECT_THAT(said_of("580.65", "13.0"), HasSubstr("580.65.06"));
  EXPECT_THAT(said_of("520.61.05", "12.9"),
              AllOf(HasSubstr("525.60.13"), HasSubstr("cuda-compat-12-9"), Not(HasSubstr("CUDA 12 ("))))
      << "assay needs CUDA 12";
}

TEST(CudaDriver, OfUnknownVersionOrForAnUnknownToolkitIsNotCalledTooOld) {
  EXPECT_EQ(said_of("", "13.0"), "");
  EXPECT_EQ(said_of("535.161.08", ""), "");
  EXPECT_EQ(said_of("535.161.08", "14.0"), "");
}

TEST(CudaDriver, WithNewerLibrariesOnTheLoadersPathIsNotTooOld) {
  EXPECT_EQ(said_of("535.161.08", "13.0", "13.0"), "");
  EXPECT_NE(said_of("535.161.08", "13.0", "12.2"), "");
}

TEST(ForwardCompatibility, IsTheOldestLibraryThatServesTheToolkit) {
  FakeNode node;
  const auto found = [&](const std::string& toolkit) {
    return forward_compatibility(read_cuda_driver(Tree(node.root()), {}), toolkit);
  };
  EXPECT_FALSE(found("13.0"));
  install_compatibility(node, "cuda-12.9", "575.57.08");
  EXPECT_FALSE(found("13.0")) << "of an older major version";
  install_compatibility(node, "cuda-13.2", "595.10");
  EXPECT_EQ(found("13.0"), "/usr/local/cuda-13.2/compat");
  install_compatibility(node, "cuda-13.0", "580.95.05");
  EXPECT_EQ(found("13.0"), "/usr/local/cuda-13.0/compat");
  EXPECT_EQ(found("12.4"), "/usr/local/cuda-12.9/compat");
  EXPECT_FALSE(found(""));
}

TEST(ForwardCompatibility, WhoseLibraryIsGoneIsNone) {
  FakeNode node;
  node.link("/usr/local/cuda/compat/libcuda.so.1", "libcuda.so.580.95.05");
  EXPECT_FALSE(forward_compatibility(read_cuda_driver(Tree(node.root()), {}), "13.0"));
}

TEST(DescribedDriver, ThatIsTooOldIsInTextAndJson) {
  Machine machine;
  machine.driver_too_old = "NVIDIA driver 535 is too old";
  machine.cuda_compat = "/usr/local/cuda-13.0/compat";
  EXPECT_THAT(to_text(machine), AllOf(HasSubstr("driver    NVIDIA driver 535 is too old\n"),
                                      HasSubstr("libraries of /usr/local/cuda-13.0/compat\n")));
  EXPECT_EQ(to_json(machine)["driver_too_old"], "NVIDIA driver 535 is too old");
  EXPECT_EQ(to_json(machine)["cuda_compat"], "/usr/local/cuda-13.0/compat");
  EXPECT_FALSE(to_json(Machine{}).contains("driver_too_old"));
}

}  // namespace
}  // namespace assay::machine
