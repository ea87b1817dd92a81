# SPDX-FileCopyrightText: The assay authors
# SPDX-License-Identifier: Apache-2.0
# The rate of this machine's time stamp counter, which every guest's clock counts. A guest that has to find it out by
# itself is wrong on a busy machine: one took 911 MHz for 2,596, so that its clock, and every limit, ran 2.8 times too fast.
import ctypes
import functools
import mmap
import platform
import time

CODE = bytes.fromhex("0f31 48c1e220 4809d0 c3")  # rdtsc; shl rdx, 32; or rax, rdx; ret
APART_S = 0.05
TRIES = 50


def sample(read):
    """(nanoseconds, ticks) at one moment: of many tries the one that nothing came between."""
    tries = []
    for _ in range(TRIES):
        before, ticks, after = time.monotonic_ns(), read(), time.monotonic_ns()
        tries.append((after - before, (before + after) / 2, ticks))
    return min(tries)[1:]


@functools.cache
def kilohertz():
    """None where this process cannot run CODE: the guests then find it out by themselves."""
    if platform.machine() != "x86_64":
        return None
    try:
        page = mmap.mmap(-1, mmap.PAGESIZE, prot=mmap.PROT_READ | mmap.PROT_WRITE | mmap.PROT_EXEC)
    except OSError:
        return None
    page.write(CODE)
    start = ctypes.c_char.from_buffer(page)
    read = ctypes.CFUNCTYPE(ctypes.c_uint64)(ctypes.addressof(start))
    began_ns, began_ticks = sample(read)
    time.sleep(APART_S)
    ended_ns, ended_ticks = sample(read)
    return round((ended_ticks - began_ticks) * 1e6 / (ended_ns - began_ns))
