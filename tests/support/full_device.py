"""The device on which every write fails as on a full disk."""
import os
import stat
from pathlib import Path

NUMBER = os.makedev(1, 7)


def full_device(folder):
    """/dev/full. Where that is no device (some containers lack it, and whoever writes there makes a plain file), one that is made
    in `folder`, which needs root."""
    device = Path("/dev/full")
    if not (device.is_char_device() and device.stat().st_rdev == NUMBER):
        device = Path(folder) / "full"
        os.mknod(device, stat.S_IFCHR | 0o600, NUMBER)
    return device
