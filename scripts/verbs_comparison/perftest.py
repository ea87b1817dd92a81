# SPDX-FileCopyrightText: The assay authors
# SPDX-License-Identifier: Apache-2.0
# perftest's side of a row: its command line, a server and a client on this host, and the number it prints.
import pathlib
import subprocess
import time

from verbs_comparison.outcome import Failed

PORT = 18515
LIMIT_S = 1000  # virtual time jumps ahead while the guest waits for a file: what ends a hang is the runner's own limit
ATTEMPTS = 3
LISTENING = "0A"  # state of a line of /proc/net/tcp
MIB = 1 << 20


def command(row):
    words = [f"ib_{row.operation}_{'bw' if row.kind == 'bandwidth' else 'lat'}", "-F", "-d", "rxe0", "-x", "1", "-m", "4096",
             "-p", str(PORT), "-s", str(row.bytes), "-n", str(row.iterations)]
    if row.operation != "read":
        words += ["-I", "0"]
    if row.completion == "events":
        words.append("-e")
    if row.kind == "bandwidth":
        words += ["-t", str(row.tx_depth), "-Q", str(row.moderation), "-q", str(row.qps), "-N"]  # -N: no search for a peak
    return words


def result(text, row):
    """Messages per second, or microseconds, from what the client printed: the last line that starts with the size."""
    lines = [line.split() for line in text.splitlines() if line.split()[:1] == [str(row.bytes)]]
    expected = 5 if row.kind == "bandwidth" else 9
    if not lines or len(lines[-1]) != expected:
        raise Failed(f"{' '.join(command(row))} printed no result: {text.strip()[-400:]}")
    fields = lines[-1]
    if row.kind == "latency":
        return float(fields[4])  # t_typical: the median
    # Bandwidth has two decimals, the message rate six: whichever is the finer.
    return float(fields[4]) * 1e6 if row.bytes < 4096 else float(fields[3]) * MIB / row.bytes


def is_listening(port):
    ends = (line.split()[1:4] for name in ("tcp", "tcp6") for line in pathlib.Path("/proc/net", name).read_text().splitlines()[1:])
    return any(local.endswith(f":{port:04X}") and state == LISTENING for local, _, state in ends)


def wait_until_listening(port, server):
    end = time.monotonic() + LIMIT_S
    while not is_listening(port):
        if server.poll() is not None or time.monotonic() > end:
            raise Failed(f"{' '.join(map(str, server.args))} does not listen on port {port}")
        time.sleep(0.02)


def run(row):
    """On a busy host it now and then prints a rate of zero; that is not a measurement."""
    for _ in range(ATTEMPTS):
        if (value := run_once(row)) > 0:
            return value
    raise Failed(f"{' '.join(command(row))} printed 0 in {ATTEMPTS} attempts")


def run_once(row):
    words = command(row)
    server = subprocess.Popen(words, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        wait_until_listening(PORT, server)
        client = subprocess.run([*words, "localhost"], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                                timeout=LIMIT_S, check=False)
        if client.returncode != 0:
            raise Failed(f"{' '.join(words)} ended with {client.returncode}: {client.stdout.strip()[-400:]}")
        server.wait(timeout=LIMIT_S)
        return result(client.stdout, row)
    except subprocess.TimeoutExpired as late:
        raise Failed(f"{' '.join(words)} did not end within {LIMIT_S} s") from late
    finally:
        server.kill()
        server.wait()
