// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Checks that only a GPU can make: the gate holds work back, its time limit ends it, clocks and buffers are
// sane.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <thread>
#include <vector>

#include "harness/core/error.hpp"
#include "harness/cuda/check.hpp"
#include "harness/cuda/finished.hpp"
#include "harness/cuda/rotation.hpp"
#include "harness/cuda/tests/spin_kernel.hpp"
#include "harness/cuda/timing/device_site.hpp"

namespace assay::cuda {
namespace {

class CudaOnDevice : public testing::Test {
 protected:
  void SetUp() override {
    if (const auto reason = device_unavailable()) GTEST_SKIP() << *reason;
    site_ = std::make_unique<DeviceSite>(0);
  }
  cudaStream_t stream() const { return site_->stream.get(); }
  void wait(const char* doing) { wait_for(stream(), doing, std::chrono::seconds(30)); }
  std::unique_ptr<DeviceSite> site_;
};

TEST_F(CudaOnDevice, TheDeviceDescribesItself) {
  EXPECT_FALSE(site_->device.name.empty());
  EXPECT_THAT(site_->device.pci_address, testing::MatchesRegex("[0-9a-f]+:[0-9a-f]+:[0-9a-f]+\\.[0-7]"));
  EXPECT_GT(site_->device.sm_count, 0);
  EXPECT_GT(site_->device.l2_bytes, 1 << 20);
  EXPECT_GT(site_->device.memory_bytes, std::int64_t{1} << 30);
}

// Without a driver the runtime reports its absence for ever, so that only a GPU shows this.
TEST_F(CudaOnDevice, ACheckedErrorLeavesNothingBehindInTheThread) {
  // A call that fails on every machine: there is no device with this index.
  const cudaError_t status = cudaSetDevice(1'000'000);
  ASSERT_NE(status, cudaSuccess);
  EXPECT_THROW(check(status, "choose a device"), core::Error);
  EXPECT_EQ(cudaPeekAtLastError(), cudaSuccess);
}

TEST_F(CudaOnDevice, AClosedGateHoldsWorkBackAndAnOpenOneLetsItRun) {
  StreamGate gate;
  PinnedBuffer word(64);
  const DeviceBuffer source(64);
  check(cudaMemset(source.data(), 0x2a, 64), "fill");
  GateHold hold = gate.close(stream());
  check(cudaMemcpyAsync(word.as<void>(), source.data(), 64, cudaMemcpyDefault, stream()),
        "copy behind the gate");
  std::this_thread::sleep_for(std::chrono::milliseconds(50));
  EXPECT_EQ(cudaStreamQuery(stream()), cudaErrorNotReady);
  static_cast<void>(cudaGetLastError());
  EXPECT_EQ(*word.as<unsigned char>(), 0);
  hold.open();
  wait("run what the gate held back");
  EXPECT_EQ(*word.as<unsigned char>(), 0x2a);
  EXPECT_FALSE(gate.timed_out());
}

TEST_F(CudaOnDevice, WorkThatIsNotFinishedLeavesNoErrorForTheNextLaunch) {
  StreamGate gate;
  GateHold hold = gate.close(stream());
  const Event event = make_event(EventUse::ordering);
  check(cudaEventRecord(event.get(), stream()), "record an event behind the gate");
  EXPECT_FALSE(is_finished(stream(), "ask for the stream"));
  EXPECT_EQ(cudaPeekAtLastError(), cudaSuccess);
  EXPECT_FALSE(is_finished(event.get(), "ask for the event"));
  EXPECT_EQ(cudaPeekAtLastError(), cudaSuccess);
  hold.open();
  wait("run what the gate held back");
  EXPECT_TRUE(is_finished(stream(), "ask for the stream"));
  EXPECT_TRUE(is_finished(event.get(), "ask for the event"));
}

// The assumption of every loop that waits by queries: the next launch would report the query's error as its
// own failure. The line is for scripts/assay-device-check.
TEST_F(CudaOnDevice, AQueryOfUnfinishedWorkStaysTheLastErrorUntilItIsCleared) {
  StreamGate gate;
  GateHold hold = gate.close(stream());
  const cudaError_t answer = cudaStreamQuery(stream());
  const cudaError_t left = cudaPeekAtLastError();
  std::printf("probe: cudaStreamQuery says %s, then cudaPeekAtLastError says %s\n", cudaGetErrorName(answer),
              cudaGetErrorName(left));
  hold.open();
  EXPECT_EQ(answer, cudaErrorNotReady);
  EXPECT_EQ(left, cudaErrorNotReady);
  static_cast<void>(cudaGetLastError());
  EXPECT_EQ(cudaPeekAtLastError(), cudaSuccess);
  EXPECT_EQ(launch_spin(1, 1'000, stream()), cudaSuccess);
  wait("spin");
}

TEST_F(CudaOnDevice, AForgottenGateOpensByItselfAndTheSampleIsAnError) {
  StreamGate gate(std::chrono::milliseconds(20));
  GateHold hold = gate.close(stream());
  const auto start = std::chrono::steady_clock::now();
  wait("wait for the gate's time limit");
  const double waited = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  EXPECT_GT(waited, 0.01);
  EXPECT_LT(waited, 2);
  EXPECT_TRUE(gate.timed_out());
  EXPECT_THROW(gate.throw_if_timed_out(), core::Error);
  hold.open();
  gate.close(stream()).open();
  wait("use the gate again");
  EXPECT_FALSE(gate.timed_out());
}

TEST_F(CudaOnDevice, EventsAndTheHostAgreeOnASpin) {
  check(launch_spin(1, 1'000, stream()), "load the kernel");
  wait("load the kernel");
  EventTimer timer;
  timer.start(stream());
  check(launch_spin(1, 20'000'000, stream()), "spin");
  timer.stop(stream());
  wait("spin");
  EXPECT_GT(timer.seconds(), 0.0199);
  EXPECT_LT(timer.seconds(), 0.03);
}

TEST_F(CudaOnDevice, TheGatedTimerTimesASpinAndTellsAPlausibleClock) {
  GatedTimer timer(stream(), site_->device.sm_count);
  const auto spin = [this] { check(launch_spin(1, 2'000'000, stream()), "spin"); };
  timer.run(1, 1, spin);
  const core::Timing timing = timer.run(5, 1, spin);
  EXPECT_GT(timing.seconds, 0.00999);
  EXPECT_LT(timing.seconds, 0.012);
  EXPECT_TRUE(timer.gated());
  // No NVIDIA GPU that runs this build clocks its SMs outside this range.
  EXPECT_GT(timer.last_mhz(), 100);
  EXPECT_LT(timer.last_mhz(), 3500);
  EXPECT_NEAR(timing.sm_cycles, timing.seconds * 1e6 * timer.last_mhz(), 1e-3 * timing.sm_cycles);
}

TEST_F(CudaOnDevice, MoreIterationsThanTheQueueHoldsNeitherHangNorGetLost) {
  GatedTimer timer(stream(), site_->device.sm_count);
  int queued = 0;
  const auto spin = [&] {
    ++queued;
    check(launch_spin(1, 1'000, stream()), "spin");
  };
  timer.run(1, 1, spin);
  const core::Timing timing = timer.run(5'000, 1, spin);
  EXPECT_EQ(queued, 5'001);
  EXPECT_GT(timing.seconds, 0.005);
  EXPECT_TRUE(timer.gated());
}

TEST_F(CudaOnDevice, AnExceptionWhileQueuingReleasesTheStream) {
  GatedTimer timer(stream(), site_->device.sm_count);
  timer.run(1, 1, [] {});
  EXPECT_THROW(timer.run(1, 1, [] { throw core::Error(core::ErrorKind::cuda, "launch failed"); }),
               core::Error);
  wait("drain the stream");
  EXPECT_GE(timer.run(1, 1, [] {}).seconds, 0);
}

TEST_F(CudaOnDevice, ABufferKeepsWhatIsWrittenAndKnowsItsDevice) {
  const std::vector<unsigned char> sent = {1, 2, 3, 250};
  const DeviceBuffer buffer(sent.size());
  EXPECT_EQ(buffer.device(), 0);
  std::vector<unsigned char> got(sent.size());
  check(cudaMemcpy(buffer.data(), sent.data(), sent.size(), cudaMemcpyDefault), "send");
  check(cudaMemcpy(got.data(), buffer.data(), sent.size(), cudaMemcpyDefault), "fetch");
  EXPECT_EQ(got, sent);
}

TEST_F(CudaOnDevice, ABufferTooLargeSaysHowMuchIsFreeAndTheDeviceGoesOn) {
  try {
    const DeviceBuffer buffer(std::size_t{1} << 50);
    FAIL() << "no error was thrown";
  } catch (const core::Error& error) {
    EXPECT_THAT(error.what(), testing::HasSubstr("bytes are free"));
    EXPECT_FALSE(error.poisons_process());
  }
  EXPECT_NO_THROW(DeviceBuffer(1 << 20));
}

TEST_F(CudaOnDevice, TheStreamLoadCopies) {
  constexpr std::size_t bytes = 1 << 20;
  const DeviceBuffer source(bytes), target(bytes);
  check(cudaMemset(source.data(), 0x3c, bytes), "fill the source");
  check(cudaMemset(target.data(), 0, bytes), "clear the target");
  check(cudaDeviceSynchronize(), "finish filling");
  check(launch_stream_load(source.data(), target.data(), bytes, 2, site_->device.sm_count, stream()), "copy");
  wait("copy");
  std::vector<unsigned char> got(bytes);
  check(cudaMemcpy(got.data(), target.data(), bytes, cudaMemcpyDefault), "fetch");
  EXPECT_EQ(got, std::vector<unsigned char>(bytes, 0x3c));
}

TEST_F(CudaOnDevice, TheFlushRuns) {
  L2Flush flush(site_->device.l2_bytes);
  flush.enqueue(stream());
  wait("flush");
}

TEST_F(CudaOnDevice, TelemetryTellsPowerAndClockOrSaysWhyNot) {
  const auto telemetry = open_telemetry(site_->device.pci_address);
  const auto reading = telemetry->now();
  if (!reading) GTEST_SKIP() << std::get<std::string>(telemetry->facts().front().second);
  if (!reading->power_w || !reading->sm_clock_mhz) GTEST_SKIP() << "NVML tells no power or no SM clock here";
  telemetry->begin();
  for (int i = 0; i < 3; ++i) check(launch_spin(site_->device.sm_count, 100'000'000, stream()), "spin");
  wait("spin");
  telemetry->end();
  EXPECT_GE(telemetry->summary().readings, 3);
  const WindowPower& power = telemetry->summary().power;
  EXPECT_EQ(power.power_w.has_value(), power.changes >= 10) << power.why_not;
  EXPECT_GT(telemetry->summary().sm_clock_mean_mhz.value_or(-1), 100);
}

}  // namespace
}  // namespace assay::cuda
