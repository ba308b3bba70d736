"""Clean Debian systems to install into: made once by debootstrap, kept packed, changed in a layer on top.

Of this machine's own version, or of the one that `GLOAM_DEBIAN` names, as `trixie`.
Everything is mounted in a mount namespace of the command that runs, so nothing stays mounted when it ends.
"""

from __future__ import annotations

import os
import platform
import shutil
import subprocess
from binascii import crc32
from pathlib import Path

PACKAGES = "systemd,systemd-sysv,python3,python3-venv,ca-certificates"
CACHE = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "gloam"
CERTIFICATES = "etc/ssl/certs/ca-certificates.crt"
ENTER = """
set -e
mount -t overlay overlay -o "lowerdir=$LOWER,upperdir=$1/upper,workdir=$1/work" "$1/whole"
mount -t proc proc "$1/whole/proc"
mount --rbind /dev "$1/whole/dev"
mount --bind "$PIP_CACHE" "$1/whole/var/cache/pip"
root=$1/whole
shift
exec chroot "$root" "$@"
"""
BOOT = """
set -e
mount -t overlay overlay -o "lowerdir=$LOWER,upperdir=$1/upper,workdir=$1/work" "$1/whole"
exec systemd-nspawn --quiet --register=no --keep-unit --private-network -D "$1/whole" --boot
"""
SCRIPT_UNIT = """
[Unit]
After=multi-user.target
[Service]
ExecStart=/bin/sh -c 'sh /script.sh >/said 2>&1; systemctl poweroff'
[Install]
WantedBy=multi-user.target
"""


class DebianRoot:
    """A Debian system in a folder: layers that are only read, and one on top that takes every change."""

    def __init__(self, folder: Path, lower: tuple[Path, ...]) -> None:
        self._folder, self._lower = folder, lower
        for name in ("upper", "work", "whole"):
            (folder / name).mkdir(parents=True)
        (folder / "upper/var/cache/pip").mkdir(parents=True)
        (CACHE / "pip").mkdir(parents=True, exist_ok=True)

    @classmethod
    def clean(cls, folder: Path, codename: str = "") -> DebianRoot:
        """A system with systemd and Python, as they come, and this machine's way into the network."""
        base = folder / "base"
        base.mkdir(parents=True)
        subprocess.run(["tar", "-C", base, "-xf", _packed(codename)], check=True)
        for name in ("etc/resolv.conf", CERTIFICATES):
            if Path("/", name).exists():
                shutil.copy(Path("/", name), base / name)
        return cls(folder / "top", (base,))

    def fork(self, folder: Path) -> DebianRoot:
        """The same system as it is now; what changes there does not change it here."""
        return DebianRoot(folder, (self._folder / "upper", *self._lower))

    def put(self, name: str, text: str, mode: int = 0o644) -> None:
        """Writes a file into the system."""
        path = self._folder / "upper" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
        path.chmod(mode)

    def copy(self, source: Path, name: str) -> None:
        """Copies a file into the system, with its mode."""
        path = self._folder / "upper" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(source, path)

    def run(self, *command: str, timeout_s: float = 600, **environ: str) -> subprocess.CompletedProcess[str]:
        """Runs a command there as root."""
        enter, own = self._entering(*command, **environ)
        return subprocess.run(enter, env=own, capture_output=True, text=True, timeout=timeout_s, check=False)

    def start(self, *command: str, stderr: Path) -> subprocess.Popen[str]:
        """Starts a command there that is spoken to line by line."""
        enter, own = self._entering(*command)
        pipe = subprocess.PIPE
        with stderr.open("w") as log:
            return subprocess.Popen(enter, env=own, stdin=pipe, stdout=pipe, stderr=log, text=True)

    def _entering(self, *command: str, **environ: str) -> tuple[list[str], dict[str, str]]:
        own = {
            "PATH": "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin",
            "HOME": "/root",
            "LOWER": ":".join(map(str, self._lower)),
            "PIP_CACHE": str(CACHE / "pip"),
            "PIP_CACHE_DIR": "/var/cache/pip",
            "PIP_CERT": f"/{CERTIFICATES}",
            **{name: value for name, value in os.environ.items() if name in ("PIP_INDEX_URL", "HTTPS_PROXY")},
            **environ,
        }
        return ["unshare", "--mount", "sh", "-c", ENTER, "sh", str(self._folder), *command], own

    def said(self, *command: str) -> str:
        """What a command that must succeed prints."""
        done = self.run(*command)
        assert done.returncode == 0, done.stderr
        return done.stdout.strip()

    def boot(self, script: str, timeout_s: float = 400) -> str:
        """Starts the system with its own systemd and no network, runs a script there and shuts it down."""
        self.put("script.sh", script)
        self.put("etc/systemd/system/script.service", SCRIPT_UNIT)
        self.said("systemctl", "enable", "-q", "script.service")
        environ = {**os.environ, "LOWER": ":".join(map(str, self._lower))}
        done = subprocess.run(
            ["unshare", "--mount", "sh", "-c", BOOT, "sh", str(self._folder)],
            env=environ,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            timeout=timeout_s,
            check=False,
        )
        said = self._folder / "upper/said"
        assert said.exists(), done.stdout + done.stderr
        return said.read_text()


def _packed(codename: str = "") -> Path:
    """The clean system as a tar file, made when it is missing."""
    own = platform.freedesktop_os_release()["VERSION_CODENAME"]
    codename = codename or os.environ.get("GLOAM_DEBIAN") or own
    packed = CACHE / f"{codename}-{platform.machine()}-{crc32(PACKAGES.encode()):08x}.tar"
    if packed.exists():
        return packed
    CACHE.mkdir(parents=True, exist_ok=True)
    work = CACHE / f"{codename}.making"
    shutil.rmtree(work, ignore_errors=True)
    command = [
        "unshare",
        "--mount",
        "debootstrap",
        "--variant=minbase",
        f"--include={PACKAGES}",
        codename,
        str(work),
    ]
    subprocess.run([*command, *_mirror(own)], check=True, capture_output=True, timeout=900)
    shutil.rmtree(work / "var/cache/apt/archives", ignore_errors=True)
    half = packed.with_suffix(".half")
    subprocess.run(["tar", "-C", work, "-cf", half, "."], check=True)
    shutil.rmtree(work)
    half.rename(packed)
    return packed


def _mirror(codename: str) -> list[str]:
    """Where this machine gets its own packages from."""
    command = ["apt-get", "indextargets", "--format", "$(REPO_URI)", "Created-By: Packages"]
    asked = subprocess.run(
        [*command, f"Codename: {codename}", "Component: main"], capture_output=True, text=True, check=False
    )
    return asked.stdout.split()[:1]
