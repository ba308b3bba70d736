#!/bin/sh
# Installs Gloam in an emulated arm64 Debian 12, as Raspberry Pi OS has it, and runs its fast tests there.
#   sudo systemd/arm64.sh [FOLDER [PART...]]
# By hand, before a release: two hours. A part is a path for pytest, each in a run of its own, by default all that
# `./gloam test --fast` runs; at the end the failed ones are named, and can be run again alone.
# The Debian stays in FOLDER (default: the cache).
# Needs the packages debootstrap and qemu-user-static. What it does not show: real pins, cameras and strips.
set -eu

here=$(cd "$(dirname "$(readlink -f "$0")")/.." && pwd)
root=${1:-${XDG_CACHE_HOME:-$HOME/.cache}/gloam/arm64}
[ $# = 0 ] || shift
say() { printf 'arm64: %s\n' "$*" >&2; }

for program in debootstrap qemu-aarch64-static; do
    command -v "$program" >/dev/null || { say "$program is missing"; exit 1; }
done
binfmt=/proc/sys/fs/binfmt_misc
[ -e $binfmt/register ] || mount -t binfmt_misc binfmt_misc $binfmt
[ -e $binfmt/qemu-aarch64 ] || cat /usr/lib/binfmt.d/qemu-aarch64.conf >$binfmt/register

if [ ! -x "$root/usr/bin/apt-get" ] || [ -d "$root/debootstrap" ]; then
    say "making a Debian in $root"
    unshare --mount debootstrap --arch=arm64 --variant=minbase bookworm "$root"
fi
cp /etc/resolv.conf "$root/etc/"
cp /etc/ssl/certs/ca-certificates.crt "$root/srv/"

say "copying the last commit"
rm -rf "$root/srv/gloam"
git clone -q --depth 1 "file://$here" "$root/srv/gloam"
printf '%s\t: %s\n' Hardware BCM2835 Revision d04170 Model 'Raspberry Pi 5 Model B Rev 1.0' >"$root/srv/cpuinfo"

# What is mounted here is gone when this ends.
# shellcheck disable=SC2016  # expanded inside
ROOT=$root unshare --mount sh -eu -c '
mount -t proc proc "$ROOT/proc"
mount --rbind /dev "$ROOT/dev"
mount --bind "$ROOT/srv/cpuinfo" "$ROOT/proc/cpuinfo"
exec chroot "$ROOT" /usr/bin/env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/root LANG=C.UTF-8 \
    DEBIAN_FRONTEND=noninteractive PIP_CERT=/srv/ca-certificates.crt NODE_EXTRA_CA_CERTS=/srv/ca-certificates.crt \
    OMP_NUM_THREADS=1 sh -eu -s "$@"' sh "$@" <<'INSIDE'
say() { printf 'arm64: %s\n' "$*" >&2; }
cd /srv/gloam
say "installing"
# What `./gloam test` installs, from Debian and from the Python index.
command -v npm >/dev/null || { apt-get -q update && apt-get -q install -y --no-install-recommends \
    ca-certificates git mosquitto npm python3-pip python3-venv systemd; }
say "this is $(uname -m), $(python3 -V), $(systemd/install.sh --model)"
[ -x /opt/gloam/bin/python ] || python3 -m venv /opt/gloam
/opt/gloam/bin/pip install -q --disable-pip-version-check -e '.[pi,pi5,dev]'
/opt/gloam/bin/pip check
say "importing everything that a Pi uses"
/opt/gloam/bin/python -c 'import cv2, numpy, lgpio, gpiozero, neopixel, serial, companion.service.app; print(cv2.__version__, numpy.__version__)'
for game in night_cage bad_bones onirim whisper dark_cave; do /opt/gloam/bin/gloam play "$game" --seed 1 >/dev/null; done
[ $# != 0 ] || set -- tests/*/ tests/test_*.py README.md companion vision hardware web
failed=
for part in "$@"; do
    say "testing $part"
    /opt/gloam/bin/python -m pytest -p no:cacheprovider -m 'not slow and not browser and not hardware and not firmware' \
        "$part" || failed="$failed $part"
done
[ -z "$failed" ] || { say "failed:$failed"; exit 1; }
say "all passed"
INSIDE
