# SPDX-FileCopyrightText: The assay authors
# SPDX-License-Identifier: Apache-2.0
# The cached kernel and module archive that every guest boots: built once, by one process at a time, and put in place
# whole.
import contextlib
import dataclasses
import fcntl
import hashlib
import os
import pathlib
import shutil
import tempfile

from verbs_vm import cpio_archive, kernel_modules, kernel_package
from verbs_vm.outcome import Unavailable

# Another list or layout is another image.
LAYOUT = "1"


@dataclasses.dataclass(frozen=True)
class Image:
    kernel: pathlib.Path  # ELF
    modules: pathlib.Path  # cpio archive: /modules/NAME.ko and /modules/order


def cache_folder():
    base = os.environ.get("XDG_CACHE_HOME") or pathlib.Path.home() / ".cache"
    return pathlib.Path(base) / "assay" / "verbs-vm"


def image_name():
    recipe = " ".join((LAYOUT, kernel_package.META_PACKAGE, *kernel_modules.WANTED))
    return f"{kernel_package.META_PACKAGE}-{hashlib.sha256(recipe.encode()).hexdigest()[:12]}"


def image_in(folder):
    return Image(folder / "vmlinux", folder / "modules.cpio")


def is_cached():
    return (cache_folder() / image_name()).is_dir()


@contextlib.contextmanager
def locked(folder):
    """Others who want the same folder wait here."""
    with open(folder / "lock", "w", encoding="utf-8") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        yield


def module_archive(modules, built_in):
    order = kernel_modules.load_order(modules, built_in)
    files = {f"modules/{name}.ko": (cpio_archive.TEXT, modules[name]) for name in order}
    files["modules/order"] = (cpio_archive.TEXT, "".join(f"{name}\n" for name in order).encode())
    return cpio_archive.archive(files, folders=["modules"])


def build(folder):
    """Fetches the kernel package and writes the image into folder."""
    with tempfile.TemporaryDirectory(prefix="assay-kernel-") as download:
        bz_image, modules, built_in = kernel_package.contents(kernel_package.fetch(download))
    image = image_in(folder)
    image.kernel.write_bytes(kernel_package.elf_kernel(bz_image))
    image.modules.write_bytes(module_archive(modules, built_in))


def ensure(refresh=False):
    """The image, built if it is not cached. Unavailable if it cannot be."""
    cache = cache_folder()
    final = cache / image_name()
    try:
        cache.mkdir(parents=True, exist_ok=True)
        with locked(cache):
            if refresh or not final.is_dir():
                with tempfile.TemporaryDirectory(prefix="new-", dir=cache) as unfinished:
                    made = pathlib.Path(unfinished) / "image"
                    made.mkdir()
                    build(made)
                    shutil.rmtree(final, ignore_errors=True)
                    made.rename(final)
    except OSError as error:
        raise Unavailable(f"the kernel image cannot be kept in {cache}: {error.strerror}") from None
    return image_in(final)
