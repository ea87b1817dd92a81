// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// The kernel's reports of its own trouble: lockups, stalls, crashes, hung processes, no memory (Linux,
// kernel/watchdog.c, kernel/watchdog_perf.c, kernel/rcu/tree_stall.h, kernel/hung_task.c, kernel/panic.c,
// arch/*/mm/fault.c, mm/oom_kill.c).
#include "harness/front/health/kernel_log/kernel_lines.hpp"

namespace assay::health {
namespace system_log {
namespace {

constexpr std::string_view system = "kernel.system", driver = "kernel.driver";
constexpr std::string_view stands_still = "a processor did nothing but one thing for many seconds";
constexpr std::string_view crashed = "the kernel crashed in a driver or from bad memory";
constexpr std::string_view corrupt = "the kernel found its own data corrupted";
constexpr std::string_view hangs = "a process hangs in the kernel";
constexpr std::string_view no_memory = "there was no memory for a process or a driver";

constexpr KnownLine lines[] = {
    {system, "panic", "<Kernel panic", Status::failed, Action::reboot, "the kernel gave up"},
    {system, "soft lockup", "<soft lockup", Status::failed, Action::reboot, stands_still},
    {system, "hard lockup", "<hard LOCKUP", Status::failed, Action::reboot, stands_still},
    {system, "hard lockup", "<Hard LOCKUP", Status::failed, Action::reboot, stands_still},
    {system, "hard lockup", "<hard lockup", Status::failed, Action::reboot, stands_still},
    {system, "workqueue lockup", "<workqueue lockup", Status::failed, Action::reboot, stands_still},
    {system, "RCU stall", "<rcu*self-detected stall", Status::failed, Action::reboot, stands_still},
    {system, "RCU stall", "<rcu*detected*stalls", Status::failed, Action::reboot, stands_still},
    {system, "RCU stall", "<rcu*kthread starved", Status::failed, Action::reboot, stands_still},
    {system, "RCU stall", "<rcu*kthread timer wakeup didn't happen", Status::failed, Action::reboot,
     stands_still},
    {system, "CPU stall", "<csd: Detected", Status::failed, Action::reboot, stands_still},
    {system, "program fault", "^traps: *] ", Status::noticed, Action::restart_application,
     "a program crashed: its own error as a rule"},
    {system, "Oops", "<Oops", Status::failed, Action::reboot, crashed},
    {system, "Oops", "<BUG: unable to handle", Status::failed, Action::reboot, crashed},
    {system, "Oops", "<BUG: kernel NULL", Status::failed, Action::reboot, crashed},
    {system, "Oops", "nable to handle kernel", Status::failed, Action::reboot, crashed},
    {system, "Oops", "#PF: supervisor", Status::failed, Action::reboot, crashed},
    {system, "Oops", "<kernel BUG at", Status::failed, Action::reboot, crashed},
    {system, "Oops", "<general protection", Status::failed, Action::reboot, crashed},
    {system, "Oops", "<invalid opcode: ", Status::failed, Action::reboot, crashed},
    {system, "Oops", "<divide error: ", Status::failed, Action::reboot, crashed},
    {system, "Oops", "<double fault", Status::failed, Action::reboot, crashed},
    {system, "Oops", "<stack segment: ", Status::failed, Action::reboot, crashed},
    {system, "Oops", "<kernel tried to execute", Status::failed, Action::reboot, crashed},
    {system, "Oops", "<kernel stack overflow", Status::failed, Action::reboot, crashed},
    {system, "Oops", "<Internal error: ", Status::failed, Action::reboot, crashed},
    {system, "kernel bug", "<BUG: ", Status::failed, Action::reboot, corrupt},
    {system, "kernel bug", "^BUG ", Status::failed, Action::reboot, corrupt},
    {system, "kernel bug", "<Bad page state", Status::failed, Action::reboot, corrupt},
    {system, "kernel bug", "<list_add corruption", Status::failed, Action::reboot, corrupt},
    {system, "kernel bug", "<list_del corruption", Status::failed, Action::reboot, corrupt},
    {system, "kernel bug", "<Kernel memory exposure attempt", Status::failed, Action::reboot, corrupt},
    {system, "kernel bug", "<refcount_t: ", Status::failed, Action::reboot, corrupt},
    {system, "unhandled interrupt", "nobody cared", Status::failed, Action::drain,
     "a device raises interrupts that no driver handles"},
    {system, "unhandled interrupt", "<Disabling IRQ", Status::failed, Action::drain,
     "a device raises interrupts that no driver handles"},
    {system, "stray interrupt", "<No irq handler for vector", Status::noticed, Action::monitor,
     "an interrupt came where none was expected"},
    {system, "kernel warning", "^WARNING: CPU", Status::noticed, Action::monitor,
     "the kernel met a state that its authors did not expect"},
    {system, "real-time throttling", "RT throttling activated", Status::noticed, Action::monitor,
     "a real-time process held a processor"},
    {system, "watchdog left running", "watchdog did not stop", Status::noticed, Action::monitor,
     "a program left the hardware watchdog running"},
    {system, "kernel bug", "<UBSAN: ", Status::noticed, Action::monitor,
     "the kernel did arithmetic or used an index that C does not define"},
    {driver, "interface cannot be removed", "<unregister_netdevice: waiting for", Status::failed,
     Action::reboot, "a network interface is still in use after it was removed"},
    {driver, "hung task", "blocked for more than*second", Status::failed, Action::reboot, hangs},
    {driver, "hung task", "blocked in I/O wait for more than", Status::failed, Action::reboot, hangs},
    {driver, "hung task", "<hung_task: ", Status::failed, Action::reboot, hangs},
    {driver, "out of memory", "ut of memory: Kill", Status::noticed, Action::monitor, no_memory},
    {driver, "out of memory", "invoked oom-killer", Status::noticed, Action::monitor, no_memory},
    {driver, "out of memory", "page allocation failure", Status::noticed, Action::monitor, no_memory},
};

}  // namespace
}  // namespace system_log

std::span<const KnownLine> system_lines() { return system_log::lines; }

}  // namespace assay::health
