# SPDX-FileCopyrightText: The assay authors
# SPDX-License-Identifier: Apache-2.0
# The command lines of QEMU: one virtual host, and the switch that joins more than two.
from verbs_vm import network, time_stamp_counter

PROGRAM = "qemu-system-x86_64"
CHANNELS = ("control", "output", "error", "fault")  # virtio-serial ports, found by these names in the guest
# QEMU dies with the process that started it.
TIED = ("setpriv", "--pdeathsig", "KILL", PROGRAM)
BARE = ("-nodefaults", "-no-user-config", "-display", "none")
# erms and fsrm make the kernel copy with `rep movsb`, which software emulation runs a byte at a time: half the speed.
PROCESSOR = "max,-erms,-fsrm,-la57,-smap"
# panic=-1 and -no-reboot: a panic ends QEMU at once. Nothing is measured after a kernel oops.
KERNEL_LINE = ("console=ttyS0 loglevel=4 panic=-1 oops=panic mitigations=off no_timer_check tsc=reliable nokaslr "
               "audit=0 random.trust_cpu=on")
SHARE = "security_model=none,multidevs=remap"


def clock(is_virtual_time):
    # shift=0: one guest instruction takes 1 ns of guest time; sleep=off: idle time is skipped.
    if is_virtual_time:
        return ["-accel", "tcg,thread=single", "-icount", "shift=0,sleep=off"]
    return ["-accel", "tcg,thread=multi"]


def kernel_line(is_virtual_time):
    # In virtual time the counter is QEMU's own, and a guest finds its rate out without fail.
    rate = None if is_virtual_time else time_stamp_counter.kilohertz()
    return f"{KERNEL_LINE} tsc_early_khz={rate}" if rate else KERNEL_LINE


def quoted(path):
    """A path as QEMU's option lists want it."""
    return str(path).replace(",", ",,")


def shares(writable):
    yield from ("-fsdev", f"local,id=root,path=/,readonly=on,{SHARE}",
                "-device", "virtio-9p-pci,fsdev=root,mount_tag=root")
    for number, folder in enumerate(writable):
        name = f"writable{number}"
        yield from ("-fsdev", f"local,id={name},path={quoted(folder)},{SHARE}",
                    "-device", f"virtio-9p-pci,fsdev={name},mount_tag={name}")


def channels(descriptors):
    """descriptors: channel name -> file descriptor of QEMU's end, and 'monitor'."""
    yield from ("-device", "virtio-serial-pci")
    for number, name in enumerate(CHANNELS, 1):
        yield from ("-chardev", f"socket,id={name},fd={descriptors[name]}",
                    "-device", f"virtserialport,chardev={name},nr={number},name={name}")
    yield from ("-chardev", f"socket,id=monitor,fd={descriptors['monitor']}", "-mon", "chardev=monitor,mode=control")


def wire_end(name, descriptor):
    """A netdev on one end of a socket pair."""
    return f"stream,id={name},server=off,addr.type=fd,addr.str={descriptor}"


def cards(host, wire_descriptors):
    """One network card per rail."""
    for rail, descriptor in enumerate(wire_descriptors):
        mac = network.hardware_address(rail, host)
        yield from ("-netdev", wire_end(f"wire{rail}", descriptor),
                    "-device", f"virtio-net-pci,netdev=wire{rail},id=card{rail},romfile=,mac={mac}")


def host_command(plan, host, image, files, descriptors, wire_descriptors):
    """Command line of one virtual host. files: paths 'initramfs' and 'console'."""
    return [
        *TIED, *BARE, "-no-reboot", *clock(plan.is_virtual_time),
        "-machine", "q35,usb=off,vmport=off,hpet=off", "-cpu", PROCESSOR,
        "-smp", str(plan.processors), "-m", str(plan.memory_mib),
        "-kernel", str(image.kernel), "-initrd", str(files["initramfs"]),
        "-append", kernel_line(plan.is_virtual_time), "-serial", f"file:{quoted(files['console'])}",
        *shares(plan.writable), *channels(descriptors), *cards(host, wire_descriptors),
    ]


def switch_command(descriptors):
    """A QEMU without a machine, whose hub passes every frame on to all other ports. descriptors: one per host."""
    ports = []
    for host, descriptor in enumerate(descriptors):
        ports += ["-netdev", wire_end(f"wire{host}", descriptor),
                  "-netdev", f"hubport,id=port{host},hubid=0,netdev=wire{host}"]
    return [*TIED, *BARE, "-machine", "none", *ports]
