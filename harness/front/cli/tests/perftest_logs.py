# SPDX-FileCopyrightText: The assay authors
# SPDX-License-Identifier: Apache-2.0
# Results as perftest prints them, of a link with a known latency and rate.
RULE = "-" * 87 + "\n"
LATENCY_HEADING = (" #bytes #iterations    t_min[usec]    t_max[usec]  t_typical[usec]    t_avg[usec]    t_stdev[usec]   "
                   "99% percentile[usec]   99.9% percentile[usec] \n")
BANDWIDTH_HEADING = " #bytes     #iterations    BW peak[MiB/sec]    BW average[MiB/sec]   MsgRate[Mpps]\n"


def head(test, inline_bytes, depth):
    return (f"{RULE}                    RDMA_Write {test} Test\n"
            " Dual-port       : OFF\t\tDevice         : mlx5_0\n Number of qps   : 1\t\tTransport type : IB\n"
            " Connection type : RC\t\tUsing SRQ      : OFF\n PCIe relax order: ON\t\tLock-free      : OFF\n"
            f" ibv_wr* API     : ON\t\tUsing Enhanced Reorder      : OFF\n TX depth        : {depth}\n"
            " Mtu             : 4096[B]\n Link type       : Ethernet\n GID index       : 3\n"
            f" Max inline data : {inline_bytes}[B]\n rdma_cm QPs\t : OFF\n Data ex. method : Ethernet\n{RULE}"
            " local address: LID 0x00 QPN 0x0130 PSN 0x4b21f0 RKey 0x1820ff VAddr 0x007f3a10c00000\n"
            " remote address: LID 0x00 QPN 0x0131 PSN 0x4b21f0 RKey 0x1820ff VAddr 0x007f3a10c00000\n" + RULE)


def latency(sizes, least_us, gb_per_s):
    text = head("Latency", 220, 1) + LATENCY_HEADING
    for size in sizes:
        typical = least_us + size / (gb_per_s * 1e3)
        text += (f" {size:<7d} 1000          {typical - 0.1:.2f}           {typical + 9:.2f}         {typical:.2f}     \t"
                 f"       {typical + 0.03:.2f}        \t0.10   \t\t{typical + 0.2:.2f}    \t\t{typical + 3:.2f}   \n")
    return text + RULE


def bandwidth(sizes, gb_per_s, least_us=0.2):
    text = head("BW", 0, 128) + BANDWIDTH_HEADING
    for size in sizes:
        time_us = least_us + size / (gb_per_s * 1e3)
        mib_per_s = size / time_us * 1e6 / 2**20
        text += f" {size:<10d} 5000             {mib_per_s * 1.001:.2f}            {mib_per_s:.2f}             {1 / time_us:.6f}\n"
    return text + RULE
