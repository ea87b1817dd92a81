# SPDX-FileCopyrightText: The assay authors
# SPDX-License-Identifier: Apache-2.0
# Fetches Debian's stock kernel package and takes out of it what a guest boots: the ELF kernel and modules.
import glob
import lzma
import re
import shutil
import struct
import subprocess
import tarfile

from verbs_vm import kernel_modules
from verbs_vm.outcome import Unavailable

META_PACKAGE = "linux-image-amd64"  # its kernel has rdma_rxe; that of linux-image-cloud-amd64 has not
APT = ("apt-get", "-qq", "-o", "APT::Sandbox::User=root")
FETCH_LIMIT_S = 300
# Offsets in the header of a bzImage: Linux, Documentation/arch/x86/boot.rst.
SETUP_SECTORS, PAYLOAD = 0x1F1, 0x248


def newest_package():
    """Name of the kernel package that the meta package stands for now."""
    if not shutil.which("apt-get"):
        raise Unavailable("the Debian kernel cannot be fetched: no apt-get here")
    shown = subprocess.run(["apt-cache", "show", "--no-all-versions", META_PACKAGE], capture_output=True, text=True,
                           check=False)
    found = re.search(r"^Depends: (linux-image-\S+)", shown.stdout, re.MULTILINE)
    if not found:
        raise Unavailable(f"the Debian kernel cannot be fetched: apt knows no {META_PACKAGE} (apt-get update?)")
    return found[1]


def fetch(folder):
    """Downloads the package into folder; its path."""
    package = newest_package()
    try:
        done = subprocess.run([*APT, "download", package], cwd=folder, capture_output=True, text=True, check=False,
                              timeout=FETCH_LIMIT_S)
    except subprocess.TimeoutExpired:
        raise Unavailable(f"{package} cannot be fetched: no answer in {FETCH_LIMIT_S} s") from None
    found = glob.glob(f"{glob.escape(str(folder))}/linux-image-*.deb")
    if done.returncode != 0 or not found:
        said = (done.stderr.strip().splitlines() or ["apt-get said nothing"])[-1]
        raise Unavailable(f"{package} cannot be fetched: {said}")
    return found[0]


def decompressed_with(tool):
    # The payload ends in four bytes of its own, which a tool may complain about: the caller looks at the result.
    return lambda data: subprocess.run([tool, "-dc"], input=data, capture_output=True, check=False).stdout


DECOMPRESS = {
    b"\xfd7zXZ": lambda data: lzma.LZMADecompressor().decompress(data),
    b"\x28\xb5\x2f\xfd": decompressed_with("zstd"),
}


def elf_kernel(bz_image):
    """The ELF inside a bzImage. QEMU starts it directly, which spares the guest the unpacking: 3 s of 6."""
    offset, length = struct.unpack_from("<II", bz_image, PAYLOAD)
    start = ((bz_image[SETUP_SECTORS] or 4) + 1) * 512 + offset
    payload = bz_image[start:start + length]
    for magic, decompress in DECOMPRESS.items():
        if payload.startswith(magic):
            elf = decompress(payload)
            if elf.startswith(b"\x7fELF"):
                return elf
    raise Unavailable("the kernel image is packed in a way that verbs-vm cannot unpack")


def contents(package):
    """(bzImage, module name -> content, names built in) of a kernel package."""
    image, modules, built_in = b"", {}, set()
    with subprocess.Popen(["dpkg-deb", "--fsys-tarfile", package], stdout=subprocess.PIPE) as unpacking, \
            tarfile.open(fileobj=unpacking.stdout, mode="r|") as archive:
        for member in archive:
            path = member.name
            if not member.isfile():
                continue
            if "/boot/vmlinuz-" in path:
                image = archive.extractfile(member).read()
            elif path.endswith("/modules.builtin"):
                lines = archive.extractfile(member).read().decode().split()
                built_in = {kernel_modules.module_name(line) for line in lines}
            elif kernel_modules.in_wanted_folder(path):
                content = archive.extractfile(member).read()
                packed = path.endswith(".xz")
                modules[kernel_modules.module_name(path)] = lzma.decompress(content) if packed else content
    return image, modules, built_in
