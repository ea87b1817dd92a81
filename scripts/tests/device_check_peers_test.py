#!/usr/bin/env python3
# SPDX-FileCopyrightText: The assay authors
# SPDX-License-Identifier: Apache-2.0
# assay-device-check beside peers: in which order they run, how their output is read, what is made of the numbers.
import unittest

from device_check_stubs import StubNode

# Peers print as nvbandwidth v0.8 (66746a3), BabelStream 5.0 and 57637d5, and nccl-tests 2.19.6 (a0b82b2) do.
NVBANDWIDTH = """\
{
   "nvbandwidth" : {
      "CUDA Runtime Version" : 13000,
      "testcases" : [
         {
            "bandwidth_description" : "memcpy CE CPU(row) -> GPU(column) bandwidth (GB/s)",
            "bandwidth_matrix" : [
               [ "50" ]
            ],
            "name" : "host_to_device_memcpy_ce",
            "status" : "Passed",
            "sum" : 50.0
         },
         {
            "name" : "device_to_host_memcpy_ce",
            "status" : "Waived"
         },
         {
            "name" : "host_to_device_memcpy_sm",
            "status" : "Error",
            "sum" : 1.0
         },
         {
            "bandwidth_matrix" : [
               [ "1000" ]
            ],
            "name" : "device_local_copy",
            "status" : "Passed",
            "sum" : 1000.0
         },
         {
            "name" : "host_device_latency_sm",
            "status" : "Passed",
            "sum" : 8e+2
         }
      ],
      "version" : "v0.8"
   }
}
"""
BABELSTREAM_5 = """\
Using CUDA device NVIDIA H200
phase,n_elements,sizeof,max_mbytes_per_sec,runtime
Init,134217728,8,1,1
function,num_times,n_elements,sizeof,max_mbytes_per_sec,min_runtime,max_runtime,avg_runtime
Copy,50,134217728,8,9999999,0.0001,0.1,0.001
Triad,50,134217728,8,9999999,0.0001,0.1,0.002
"""
BABELSTREAM_LATER = """\
function,num_times,n_elements,sizeof,max_GB_per_sec,min_runtime,max_runtime,avg_runtime
Copy,50,134217728,8,9999,0.0001,0.1,0.001
Triad,50,134217728,8,9999,0.0001,0.1,0.002
"""
NCCL_TESTS = """\
# nccl-tests version 2.19.6 nccl-headers=22809 nccl-library=22809
# Collective test starting: all_reduce_perf
#
#                                                              out-of-place                       in-place
#       size         count      type   redop    root     time   algbw   busbw  #wrong     time   algbw   busbw  #wrong
#        (B)    (elements)                               (us)  (GB/s)  (GB/s)             (us)  (GB/s)  (GB/s)
           8             2     float     sum      -1    10.00    0.00    0.00     N/A     3.10    0.00    0.00     N/A
    67108864      16777216     float     sum      -1    40.00  1677.7    0.00     N/A     3.20   20971    0.00     N/A
# Out of bounds values : 0 OK
"""
WITHOUT_ROOT = NCCL_TESTS.replace("   redop    root ", "   redop ").replace("sum      -1", "sum")


def point(case, key, seconds, moved=0, flops=0, status="ok"):
    return (f'{{"record":"point","case":"{case}","point":{{"bytes":7}},"key":"{key}","status":"{status}","time":{{"value_s":{seconds},'
            f'"mean_s":{2 * seconds}}},"work":{{"bytes":{moved},"flops":{flops}}}}}\\n')


# Writes points of these cases into its journal.
MODULE = """\
#!/usr/bin/env bash
echo "$(basename "$0") $*" >>"$CALLS"
while [[ $1 != --journal ]]; do shift; done
printf '%b' 'POINTS' >"$2"
"""


class Peers(StubNode):
    def setUp(self):
        super().setUp()
        self.plant_all()
        copy = "gpu=0,numa=-1,bytes=536870912,direction=h2d,by=engine,memory=pinned,blocks=128"
        self.plant_module("offload", point("offload.cuda.copy", copy, 0.01, moved=5.4e8))
        self.plant_module("memory", point("memory.cuda.copy_engine", "gpu=0,bytes=1073741824,cache_state=hot", 0.001, moved=2e9)
                          + point("memory.cuda.link_latency", "gpu=0,memory=host,peer=1,bytes=2097152", 2e-7)
                          + point("memory.cuda.copy", "gpu=0,bytes=2147483648,cache_state=hot,mover=sm", 0.0005, moved=2147483648)
                          + point("memory.cuda.copy", "gpu=0,bytes=2147483648,cache_state=hot,mover=tma", 0.00025, moved=2147483648, status="wrong")
                          + point("memory.cuda.triad", "gpu=0,bytes=3221225472,cache_state=hot", 0.001, moved=3221225472))
        nccl = "launch=blocking,registered=0,algorithm=default,bytes={},dtype=fp32"
        self.plant_module("collectives", point("collectives.nccl.all_reduce", nccl.format(8), 2.5e-6)
                          + point("collectives.nccl.all_reduce", nccl.format(67108864), 2e-5))
        (self.root / "peers").mkdir()

    def plant_module(self, name, points):
        self.plant(f"bin/assay-{name}", MODULE.replace("POINTS", points))

    def plant_peer(self, name, output):
        self.plant(f"peers/{name}", f"#!/usr/bin/env bash\necho \"{name} $* on $CUDA_VISIBLE_DEVICES\" >>\"$CALLS\"\ncat <<'TEXT'\n{output}TEXT\n")

    def rows(self, peer, *arguments):
        """After the peer's name."""
        self.done = self.check("--output", "out", "--peers", "peers", *arguments)
        return [line.partition(" ")[2] for line in self.text("out/peers.txt").splitlines() if line.startswith(peer)]

    def turns(self, *programs):
        return [line.split()[0] for line in self.text("calls").splitlines() if line.split()[0] in programs]

    def test_they_run_in_the_order_ours_theirs_theirs_ours_twice(self):
        self.plant_peer("nvbandwidth", NVBANDWIDTH)
        self.rows("nvbandwidth")
        self.assertEqual(self.turns("assay-offload", "nvbandwidth"),
                         ["assay-offload", "nvbandwidth", "nvbandwidth", "assay-offload"] * 2)
        calls = self.text("calls")
        self.assertIn("nvbandwidth -j -b 512 -t host_to_device_memcpy_ce device_to_host_memcpy_ce host_to_device_memcpy_sm "
                      "device_to_host_memcpy_sm device_local_copy host_device_latency_sm on 0\n", calls)
        self.assertIn("assay-offload --plan device --filter=offload.cuda.copy/*,direction=h2d,by=engine,* --filter=", calls)

    def test_ratios_stand_beside_both_values_and_a_row_without_one_says_why(self):
        self.plant_peer("nvbandwidth", NVBANDWIDTH)
        self.assertEqual(self.rows("nvbandwidth"), [
            "host_to_device_memcpy_ce: offload.cuda.copy/*,direction=h2d,by=engine,*: median of runs, assay 54 GB/s, peer 50 GB/s, "
            "ratio 1.0800 [1.0800, 1.0800] (n = 4)",
            "device_to_host_memcpy_ce: offload.cuda.copy/*,direction=d2h,by=engine,*: not measured: assay has no value, see device-check.log",
            "host_to_device_memcpy_sm: offload.cuda.copy/*,direction=h2d,by=sm,*: not measured: assay has no value, see device-check.log",
            "device_to_host_memcpy_sm: offload.cuda.copy/*,direction=d2h,by=sm,*: not measured: assay has no value, see device-check.log",
            # Bytes are counted once there, read and written here.
            "device_local_copy: memory.cuda.copy_engine/*: median of runs, assay 2000 GB/s, peer 2000 GB/s, ratio 1.0000 [1.0000, 1.0000] (n = 4)",
            # Of times the ratio is above 1 too where assay is faster; the peer's is a mean, and so is assay's.
            "host_device_latency_sm: memory.cuda.link_latency/*,bytes=2097152: mean of runs, assay 400 ns, peer 800 ns, "
            "ratio 2.0000 [2.0000, 2.0000] (n = 4)",
        ])
        self.assertEqual(self.step("links-peer"), "links-peer: inconclusive (0 s): 3 rows were not measured")
        self.assertEqual(self.done.returncode, 3)
        self.assertIn(self.text("out/peers.txt"), self.text("out/summary.txt"))

    def test_babelstream_is_read_by_its_mean_time_whatever_unit_its_rates_have(self):
        for said in (BABELSTREAM_5, BABELSTREAM_LATER):
            self.plant_peer("cuda-stream", said)
            rows = self.rows("cuda-stream")
            self.assertIn("mover=sm: mean of runs, assay 2147.48 GB/s, peer 2147.48 GB/s, ratio 1.0000", rows[0])
            self.assertTrue(rows[1].endswith("mover=tma: not measured: assay has no value, see device-check.log"), rows)
            self.assertIn("mean of runs, assay 1610.61 GB/s, peer 1610.61 GB/s", rows[2])

    def test_nccl_tests_are_read_by_the_heading(self):
        for said in (NCCL_TESTS, WITHOUT_ROOT):
            self.plant_peer("all_reduce_perf", said)
            rows = self.rows("all_reduce_perf")
            self.assertIn("assay 5 us, peer 10 us, ratio 2.0000 [2.0000, 2.0000] (n = 4)", rows[0])
            self.assertIn("assay 40 us, peer 40 us, ratio 1.0000", rows[1])

    def test_a_peer_that_is_not_there_or_prints_nothing_is_said_in_every_row(self):
        self.plant_peer("all_reduce_perf", "")
        rows = self.rows("")
        self.assertEqual(len([row for row in rows if row.endswith("not measured: no program nvbandwidth in peers")]), 6)
        self.assertEqual(len([row for row in rows if row.endswith("not measured: no program cuda-stream in peers")]), 3)
        self.assertEqual(len([row for row in rows if row.endswith("not measured: all_reduce_perf printed no value")]), 2)
        self.assertEqual(self.done.returncode, 3)

    def test_the_peer_of_the_tarball_needs_no_folder(self):
        self.plant_module("gemm", point("gemm.cuda.matmul", "m=8192,n=0,k=0,dtype=bf16,layout=forward,data=normal,cache=hot,algorithm=best,gpu=0",
                                        0.002, flops=1e12))
        self.plant("libexec/assay/device-peers/assay-lt-best", "#!/usr/bin/env bash\necho '8192x8192x8192 400.0 2 8 390.0'\n")
        done = self.check("--output", "out")
        self.assertIn("assay-lt-best 8192x8192x8192: gemm.cuda.matmul/m=8192,n=0,k=0,dtype=bf16,*cache=hot,algorithm=best,*: median of runs, "
                      "assay 500 TFLOP/s, peer 400 TFLOP/s, ratio 1.2500 [1.2500, 1.2500] (n = 4)", self.text("out/peers.txt"))
        self.assertEqual(done.returncode, 3)

    def test_turns_end_with_the_time_of_their_step_and_keep_what_they_have(self):
        self.plant_peer("nvbandwidth", NVBANDWIDTH)
        self.plant("peers/nvbandwidth", self.text("peers/nvbandwidth").replace("cat ", "spend 40 || exit 124\ncat "))
        rows = self.rows("nvbandwidth", "--minutes", "8")
        self.assertIn("(n = 3)", rows[0])
        self.assertRegex(self.step("links-peer"), r"links-peer: stopped \(\d+ s\): its time was used up after \d of 8 runs")


if __name__ == "__main__":
    unittest.main()
