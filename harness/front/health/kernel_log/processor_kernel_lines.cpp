// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Errors of processors and memory, by machine checks, EDAC and firmware (Linux, arch/x86/kernel/cpu/mce,
// drivers/edac, drivers/firmware/efi/cper.c, mm/memory-failure.c), heat and clocks.
#include "harness/front/health/kernel_log/kernel_lines.hpp"

namespace assay::health {
namespace processor_log {
namespace {

constexpr std::string_view memory = "kernel.memory", system = "kernel.system", thermal = "kernel.thermal";
constexpr std::string_view check = "machine check", firmware = "firmware error";
constexpr std::string_view lost_data = "host memory lost data", corrects = "host memory corrects errors";
constexpr std::string_view uncorrected = "the processor reports an error that it could not correct";
constexpr std::string_view hot = "a processor slowed down from heat: check cooling";
constexpr std::string_view nmi = "hardware raised an interrupt that reports a fault";
constexpr std::string_view logged = "the processor or firmware logged errors that were corrected";

constexpr KnownLine lines[] = {
    {memory, "memory uncorrected", "EDAC*<UE ", Status::failed, Action::replace, lost_data},
    {memory, "memory uncorrected", "EDAC*<UE:", Status::failed, Action::replace, lost_data},
    {memory, "memory uncorrected", "EDAC*ncorrect", Status::failed, Action::replace, lost_data},
    {memory, "memory uncorrected", "EDAC*<FATAL", Status::failed, Action::replace, lost_data},
    {memory, "memory uncorrected", "EDAC*<Fatal", Status::failed, Action::replace, lost_data},
    {memory, "memory uncorrected", "Memory failure: ", Status::failed, Action::replace, lost_data},
    {memory, "memory uncorrected", "hardware memory error", Status::failed, Action::replace, lost_data},
    {memory, "memory uncorrected", "hardware memory corruption", Status::failed, Action::replace, lost_data},
    {memory, "memory uncorrected", "hardware poison", Status::failed, Action::replace, lost_data},
    {memory, "memory corrected", "EDAC*<CE ", Status::noticed, Action::monitor, corrects},
    {memory, "memory corrected", "EDAC*HANDLING MCE MEMORY ERROR", Status::noticed, Action::monitor,
     corrects},
    {memory, "memory corrected", "oft-offlin", Status::noticed, Action::monitor,
     "a page of host memory was given up after corrected errors"},
    {memory, "memory corrected", "oft offlin", Status::noticed, Action::monitor,
     "a page of host memory was given up after corrected errors"},
    {memory, check, "Machine Check Exception", Status::failed, Action::drain, uncorrected},
    {memory, check, "Fatal machine check", Status::failed, Action::drain, uncorrected},
    {memory, check, "Fatal Machine check", Status::failed, Action::drain, uncorrected},
    // Without "Exception" the status register decides: bit 61, uncorrected, with bit 63, valid.
    {memory, check, "Machine Check: *Bank *: a", Status::failed, Action::drain, uncorrected},
    {memory, check, "Machine Check: *Bank *: b", Status::failed, Action::drain, uncorrected},
    {memory, check, "Machine Check: *Bank *: e", Status::failed, Action::drain, uncorrected},
    {memory, check, "Machine Check: *Bank *: f", Status::failed, Action::drain, uncorrected},
    {memory, check, "[Hardware Error]*_STATUS[*|UE|", Status::failed, Action::drain, uncorrected},
    {memory, check, "[Hardware Error]*Uncorrected", Status::failed, Action::drain, uncorrected},
    {memory, check, "[Hardware Error]*Deferred error", Status::failed, Action::drain, uncorrected},
    {memory, check, "mce: *ncorrected", Status::failed, Action::drain, uncorrected},
    {memory, check, "MCE*illing", Status::failed, Action::drain, uncorrected},
    {memory, check, "<SError", Status::failed, Action::drain, uncorrected},
    {memory, check, "ynchronous external abort", Status::failed, Action::drain, uncorrected},
    {memory, firmware, "[Hardware Error]*severity: fatal", Status::failed, Action::drain,
     "firmware reports a fatal error"},
    {memory, firmware, "[Hardware Error]*severity: recoverable", Status::failed, Action::drain,
     "firmware reports an error that was not corrected"},
    {memory, firmware, "atal hardware error", Status::failed, Action::drain,
     "firmware reports a fatal error"},
    {memory, firmware, "[Hardware Error]*type: fatal", Status::failed, Action::drain,
     "firmware reports a fatal error"},
    {memory, firmware, "[Hardware Error]*type: recoverable", Status::failed, Action::drain,
     "firmware reports an error that was not corrected"},
    // Details of a record; another line has its severity.
    {memory, check, "[Hardware Error]", Status::noticed, Action::monitor, logged},
    {memory, check, "CMCI storm detected", Status::noticed, Action::monitor, logged},
    {memory, firmware, "BERT: Error records from previous boot", Status::noticed, Action::monitor,
     "firmware kept errors of the start before this one"},
    {thermal, "processor heat", "temperature above threshold", Status::failed, Action::drain, hot},
    // Linux 5.5 and later, drivers/thermal/intel/therm_throt.c.
    {thermal, "processor heat", "temperature is above threshold", Status::failed, Action::drain, hot},
    {thermal, "processor heat", "PROCHOT", Status::failed, Action::drain, hot},
    {thermal, "critical heat", "ritical temperature", Status::failed, Action::drain,
     "a sensor is at its critical temperature: check cooling"},
    {thermal, "critical heat", "emperature too high", Status::failed, Action::drain,
     "a sensor is at its critical temperature: check cooling"},
    {system, "unknown interrupt", "NMI received for unknown reason", Status::failed, Action::drain, nmi},
    {system, "unknown interrupt", "Dazed and confused", Status::failed, Action::drain, nmi},
    {system, "hardware interrupt", "NMI: *error", Status::failed, Action::drain, nmi},
    {system, "hardware interrupt", "NMI: *Not continuing", Status::failed, Action::drain, nmi},
    {system, "processor not started", "failed to report alive state", Status::failed, Action::drain,
     "a processor did not start"},
    {system, "processor not started", "smpboot*failed", Status::failed, Action::drain,
     "a processor did not start"},
    {system, "clock unstable", "Marking TSC unstable", Status::noticed, Action::monitor,
     "the processor's clock does not keep time"},
    {system, "clock unstable", "Unstable clock detected", Status::noticed, Action::monitor,
     "the processor's clock does not keep time"},
    {system, "clock unstable", "TSC found unstable", Status::noticed, Action::monitor,
     "the processor's clock does not keep time"},
    {system, "clock unstable", "Marking clocksource*as unstable", Status::noticed, Action::monitor,
     "the processor's clock does not keep time"},
};

}  // namespace
}  // namespace processor_log

std::span<const KnownLine> processor_lines() { return processor_log::lines; }

}  // namespace assay::health
