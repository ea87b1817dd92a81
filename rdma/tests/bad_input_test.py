#!/usr/bin/env python3
# SPDX-FileCopyrightText: The assay authors
# SPDX-License-Identifier: Apache-2.0
# Bad input to assay-rdma on a virtual host: one clear line each, and the exit status of the design.
import re
import sys

import virtual_hosts

ONE = "--filter rdma.verbs.bandwidth --axis operation=write --axis bytes="

# name: (line of shell, exit status, what it says)
EXPECTED = {
    "no_such_device": (f"assay-rdma h1 {ONE}4KiB --axis device=mlx5_7", 2,
                       r"no RDMA device is named 'mlx5_7' \(there are: rxe0 rxe1\)"),
    "no_such_gid": (f"assay-rdma h1 {ONE}4KiB --axis gid_index=77", 2, r"rxe0 port 1 has no GID index 77 \(there are: .*10\.77\.0\.1 RoCE v2\)"),
    "too_long": (f"assay-rdma h1 {ONE}16MiB", 2, r"bytes=16777216: rxe0 takes messages of up to 8MiB"),
    "too_deep": (f"assay-rdma h1 {ONE}64 --axis tx_depth=1048576", 1,
                 r"1048576 outstanding work requests are more than a completion queue of rxe0 holds \(\d+\): lower qps or tx_depth"),
    "too_many_qps": (f"assay-rdma h1 {ONE}64 --axis qps=65536 --axis tx_depth=1", 2, r"qps=65536: expected 1 to 16384"),
    "list_beyond_depth": (f"assay-rdma h1 {ONE}64 --axis post_list=64 --axis tx_depth=16", 2,
                          r"post_list=64 is more than tx_depth=16 keeps on the wire"),
    "no_such_host": (f"assay-rdma h7 {ONE}4KiB", 2, r"h7: .*(not known|unknown|resolve|no such)"),
    "nobody_serves": (f"assay-rdma h0 --connect-limit 1 {ONE}4KiB", 2,
                      r"h0: connection refused: is `assay-rdma serve` running there\? \(port 18540\)"),
    "no_answer": (f"assay-rdma 10.77.0.99 --connect-limit 1 {ONE}4KiB", 2, r"10\.77\.0\.99: no (answer within 1 s|route)"),
    "odd_mtu": (f"assay-rdma h1 {ONE}4KiB --axis mtu=1500", 1, r"mtu=1500: a path MTU is 256, 512, 1024, 2048 or 4096"),
    "port_down": (f"ip link set eth1 down; assay-rdma h1 {ONE}4KiB --axis device=rxe1", 1,
                  r"rxe1 port 1 is down: bring its link up first \(cable, switch port, `ip link`\)"),
    "no_device": (f"rdma link delete rxe0; rdma link delete rxe1; assay-rdma h1 {ONE}4KiB", 3, r"^no RDMA adapter: 1 point left out$"),
}


class BadInput(virtual_hosts.VirtualHosts):
    @classmethod
    def setUpClass(cls):
        cls.make_folder()
        lines = [f"{{ {line}; }} >$OUT/{name} 2>&1; echo $? >$OUT/{name}.status" for name, (line, *_) in EXPECTED.items()]
        cls.start(["\n".join(["sleep 1", *lines]), "assay-rdma serve"], "--rails", "2")

    def test_each_mistake_gets_its_line_and_its_status(self):
        for name, (_, status, line) in EXPECTED.items():
            with self.subTest(name):
                said = (self.out / name).read_text()
                self.assertEqual(int((self.out / f"{name}.status").read_text()), status, said)
                self.assertEqual(len([one for one in said.splitlines() if re.search(line, one)]), 1, said)
                self.assertLessEqual(len(said.splitlines()), 2, said)


if __name__ == "__main__":
    sys.exit(virtual_hosts.main())
