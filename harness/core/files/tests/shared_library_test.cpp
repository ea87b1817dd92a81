// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "harness/core/files/shared_library.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <vector>

#include "harness/core/tests/message_of.hpp"
#include "harness/core/tests/temporary_folder.hpp"

namespace assay::core {
namespace {

namespace fs = std::filesystem;
using testing::ElementsAre;
using testing::EndsWith;

void plant(const fs::path& file) {
  fs::create_directories(file.parent_path());
  std::ofstream(file) << "here";
}

/// A variable of the environment, until the end of a test.
class Environment {
 public:
  Environment(const char* name, const std::string& value)
      : name_(name), before_(std::getenv(name) == nullptr ? "" : std::getenv(name)) {
    setenv(name, value.c_str(), 1);
  }
  ~Environment() { setenv(name_, before_.c_str(), 1); }
  Environment(const Environment&) = delete;
  Environment& operator=(const Environment&) = delete;

 private:
  const char* name_;
  std::string before_;
};

TEST(CudaLibraryNames, AreTheNamedFileAlone) {
  const Environment named("ASSAY_TEST_LIBRARY", "/opt/libx.so");
  EXPECT_THAT(cuda_library_names("ASSAY_TEST_LIBRARY", "libx.so.2"), ElementsAre("/opt/libx.so"));
}

TEST(CudaLibraryNames, EndWithThoseOfThePackagesOfPythonOnThePathAndOfTheUser) {
  const tests::TemporaryFolder folder;
  const fs::path environment = folder.path() / "venv", home = folder.path() / "home";
  plant(environment / "bin/python3");
  fs::permissions(environment / "bin/python3", fs::perms::owner_all);
  plant(environment / "lib/python3.12/site-packages/nvidia/nccl/lib/libx.so.2");
  plant(environment / "lib/python3.12/site-packages/nvidia/nccl/lib/libx.so.1");
  plant(home / ".local/lib/python3.11/site-packages/nvidia/cu13/lib/libx.so.2");
  plant(folder.path() / "other/lib/python3.12/site-packages/nvidia/nccl/lib/libx.so.2");
  const Environment path("PATH",
                         (folder.path() / "other/bin").string() + ":" + (environment / "bin").string()),
      of_user("HOME", home.string()), named("ASSAY_TEST_LIBRARY", "");
  EXPECT_THAT(cuda_library_names("ASSAY_TEST_LIBRARY", "libx.so.2"),
              ElementsAre("libx.so.2", "/usr/local/cuda/lib64/libx.so.2",
                          EndsWith("venv/bin/../lib/python3.12/site-packages/nvidia/nccl/lib/libx.so.2"),
                          EndsWith("home/.local/lib/python3.11/site-packages/nvidia/cu13/lib/libx.so.2")));
}

TEST(CudaLibraryNames, AreNeverOfTheCurrentFolder) {
  const tests::TemporaryFolder folder;
  plant(folder.path() / "bin/python3");
  fs::permissions(folder.path() / "bin/python3", fs::perms::owner_all);
  plant(folder.path() / "lib/python3.12/site-packages/nvidia/nccl/lib/libx.so.2");
  plant(folder.path() / ".local/lib/python3.12/site-packages/nvidia/nccl/lib/libx.so.2");
  const fs::path before = fs::current_path();
  fs::current_path(folder.path());
  const Environment path("PATH", "bin"), of_user("HOME", "."), named("ASSAY_TEST_LIBRARY", "");
  const std::vector<std::string> names = cuda_library_names("ASSAY_TEST_LIBRARY", "libx.so.2");
  fs::current_path(before);
  EXPECT_THAT(names, ElementsAre("libx.so.2", "/usr/local/cuda/lib64/libx.so.2"));
}

TEST(SharedLibrary, IsNeverOfTheCurrentFolder) {
  const tests::TemporaryFolder folder;
  plant(folder.path() / "lib/libx.so");
  const fs::path before = fs::current_path();
  fs::current_path(folder.path());
  for (const char* name : {"lib/libx.so", "./lib/libx.so"})
    EXPECT_EQ(tests::message_of([&] { const SharedLibrary library(name, ErrorKind::system); }),
              std::string(name) + ": expected an absolute path, or a name without '/'");
  fs::current_path(before);
}

}  // namespace
}  // namespace assay::core
