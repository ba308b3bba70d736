#!/bin/sh
# Installs Gloam as a service, or updates it: both are the same, and the same release twice changes nothing.
#
#   sudo systemd/install.sh              install, or update to this release
#   sudo systemd/install.sh --kiosk      the same, with a browser on the Pi's own screen
#   sudo systemd/install.sh --back       go back to the release before
#   sudo systemd/install.sh --uninstall  remove everything but the saves
#        systemd/install.sh --model      say which Pi this is and what drives LEDs on its pins
#   --dry-run with any of them           only say what would be done
#
# There are two slots, a and b. A release goes into the one that is not in use and is tried there; then the link
# `current` is switched. If the service does not come up and stay up, the link goes back by itself.
# Network: Debian packages (python3-venv; on a Pi the camera, pin and SPI libraries) and Python packages. Without
# a network:  sudo PIP_NO_INDEX=1 PIP_FIND_LINKS=FOLDER_OF_WHEELS systemd/install.sh
set -eu
umask 022

here=$(cd "$(dirname "$(readlink -f "$0")")" && pwd)
opt=/opt/gloam
saves=/var/lib/gloam
units=/etc/systemd/system
parts="pyproject.toml LICENSE README.md companion vision hardware web firmware systemd"
stays_up_s=${GLOAM_STAYS_UP_S:-10}
dry=

say() { printf 'gloam: %s\n' "$*" >&2; }
fail() { say "$*"; exit 1; }
run() { if [ -n "$dry" ]; then printf 'would run: %s\n' "$*"; else "$@"; fi; }
# Runs something that stops at its first fault, and notes how it went. (In a condition it would not stop.)
attempt() {
    set +e
    (set -e && "$@")
    went=$?
    set -e
}
is_booted() { [ -d /run/systemd/system ]; }

# Which Pi ------------------------------------------------------------------------------------------

# Prints the extra of pyproject.toml whose back-end drives LEDs on this machine's pins, and the machine.
find_model() {
    tree=${GLOAM_DEVICE_TREE:-/proc/device-tree/model}
    cpuinfo=${GLOAM_CPUINFO:-/proc/cpuinfo}
    name=$( (tr -d '\0' <"$tree") 2>/dev/null || true)
    [ -n "$name" ] || name=$(sed -n 's/^Model[[:space:]]*: //p' "$cpuinfo" 2>/dev/null)
    revision=$(sed -n 's/^Revision[[:space:]]*: *\([0-9a-f]*\)$/\1/p' "$cpuinfo" 2>/dev/null)
    if [ -z "$name" ] && [ -n "$revision" ]; then
        # Bits 4 to 11 are the model: 17 to 1a are the Pi 5, its modules and the keyboard.
        case $(printf '%02x' $((0x$revision >> 4 & 0xff))) in
        17 | 18 | 19 | 1a) name="Raspberry Pi 5 (revision $revision)" ;;
        *) name="Raspberry Pi (revision $revision)" ;;
        esac
    fi
    case $name in
    *"Raspberry Pi 5"* | *"Compute Module 5"*) echo "pi5 $name" ;;
    *"Raspberry Pi"*) echo "pi4 $name" ;;
    *) echo "none ${name:-no Raspberry Pi}" ;;
    esac
}

# Packages and files --------------------------------------------------------------------------------

has_package() { dpkg-query -W -f='${Status}' "$1" 2>/dev/null | grep -q 'ok installed'; }

# Installs those of the Debian packages that are missing; says so where it cannot.
want_packages() {
    missing=
    for package; do has_package "$package" || missing="$missing $package"; done
    [ -n "$missing" ] || return 0
    say "from Debian's packages, over the network:$missing"
    run apt-get update -q || true
    for package in $missing; do
        run env DEBIAN_FRONTEND=noninteractive apt-get install -y -q --no-install-recommends "$package" ||
            say "could not install $package"
    done
}

# Copies the files of a release to where the system looks for them.
put_files() {
    run install -D -m 644 "$1/70-gloam.rules" /etc/udev/rules.d/70-gloam.rules
    run install -D -m 644 "$1/50-gloam.rules" /etc/polkit-1/rules.d/50-gloam.rules
    run install -D -m 644 "$1/gloam.avahi" /etc/avahi/services/gloam.service
    run install -D -m 755 "$1/gloam.sh" /usr/local/bin/gloam
    run install -D -m 644 -t "$units" "$1/gloam.service" "$1/gloam-safe.service" "$1/gloam-kiosk.service"
    for service in gloam gloam-safe; do
        run install -D -m 644 "$1/sandbox.conf" "$units/$service.service.d/sandbox.conf"
    done
}

start_at_boot() {
    run systemctl enable -q gloam.service
    [ -z "$kiosk" ] || run systemctl enable -q gloam-kiosk.service
}

# Slots ---------------------------------------------------------------------------------------------

slot_in_use() { readlink "$opt/current" 2>/dev/null || true; }
# A number for what is in this clone, so that the same release is known again.
number_release() {
    # shellcheck disable=SC2086  # these are several words
    (cd "$here/.." && find $parts -type f ! -path '*/__pycache__/*' -print0 | LC_ALL=C sort -z | xargs -0 cksum) | cksum
}
other_slot() { if [ "$1" = a ]; then echo b; else echo a; fi; }

# Makes a slot: a venv that also sees the system's packages (the Pi camera's library comes with the system).
build() {
    slot=$opt/$1 source=$opt/source
    say "building slot $1; this takes some minutes"
    run rm -rf "$slot" "$source"
    run mkdir -p "$source"
    for part in $parts; do
        run cp -R "$here/../$part" "$source/"
    done
    run python3 -m venv --system-site-packages "$slot"
    run "$slot/bin/python" -m pip install -q --disable-pip-version-check "${source}[pi,print,mqtt]" ||
        fail "the Python packages could not be installed; see above. Is there a network?"
    if [ "$backend" != none ]; then
        run "$slot/bin/python" -m pip install -q --disable-pip-version-check "${source}[$backend]" ||
            say "LEDs on the Pi's own pins will not work (driver \"neopixel\"); a Pico, SPI and WLED will"
    fi
    run mkdir -p "$slot/share/gloam"
    run mv "$source/systemd" "$slot/share/gloam/"
    run rm -rf "$source"
    [ -n "$dry" ] || number_release >"$slot/share/gloam/release"
}

# Asks a slot whether it works with what is stored and whether a game is going on; nothing is changed by that.
try() {
    say "trying slot $1"
    run runuser -u gloam -- env HOME="$saves" "$opt/$1/bin/python" -m companion.service.update "$saves"
}

# Puts a slot to use; fails when the service does not come up and stay up.
use() {
    put_files "$opt/$1/share/gloam/systemd"
    run ln -sfn "$1" "$opt/current.new"
    run mv -T "$opt/current.new" "$opt/current"
    start_at_boot
    if ! is_booted; then
        say "no systemd is running here: the service starts with the next boot"
        return 0
    fi
    run systemctl daemon-reload
    ! command -v udevadm >/dev/null || run udevadm control --reload
    run systemctl stop gloam-safe.service
    run systemctl reset-failed gloam.service 2>/dev/null || true
    run systemctl restart gloam.service
    [ -z "$dry" ] || return 0
    for _ in $(seq "$stays_up_s"); do
        sleep 1
        systemctl is-active -q gloam.service
    done
    [ "$(systemctl show -P NRestarts gloam.service)" = 0 ]
}

# Tries a slot and puts it to use instead of the other; goes back by itself where it does not stay up.
switch_to() {
    try "$1" || fail "nothing was changed${2:+: slot $2 stays in use}"
    attempt use "$1"
    if [ $went = 0 ]; then
        finish
        return
    fi
    [ -n "$2" ] || fail "the service does not stay up; see:  journalctl -u gloam"
    say "slot $1 does not stay up; going back to slot $2"
    attempt use "$2"
    [ $went = 0 ] || fail "slot $2 does not stay up either; see:  journalctl -u gloam"
    fail "slot $2 is in use again; why the other fell:  journalctl -u gloam"
}

# Commands ------------------------------------------------------------------------------------------

install_release() {
    command -v systemctl >/dev/null || fail "this system has no systemd; play with ./gloam run instead"
    python3 -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null ||
        fail "Python 3.11 or newer is missing; Raspberry Pi OS has it from version 12 (bookworm) on"
    backend=$(find_model | cut -d' ' -f1)
    say "this is: $(find_model | cut -d' ' -f2-)"
    want_packages python3-venv
    case $backend in
    pi4) want_packages avahi-daemon python3-picamera2 python3-lgpio python3-spidev gcc python3-dev ;;
    pi5) want_packages avahi-daemon python3-picamera2 python3-lgpio python3-spidev ;;
    esac
    [ -z "$kiosk" ] || want_packages cage chromium kbd
    old=$(slot_in_use)
    new=$(other_slot "$old")
    run systemd-sysusers "$here/gloam.sysusers"
    run install -d -o gloam -g gloam -m 750 "$saves"
    if [ "$(cat "$opt/current/share/gloam/release" 2>/dev/null)" = "$(number_release)" ]; then
        say "this release is in use already, in slot $old"
        put_files "$here"
        start_at_boot
        finish
    else
        build "$new"
        switch_to "$new" "$old"
    fi
}

go_back() {
    old=$(slot_in_use)
    new=$(other_slot "$old")
    if [ -z "$old" ] || [ ! -x "$opt/$new/bin/gloam" ]; then fail "there is no release to go back to"; fi
    switch_to "$new" "$old"
    say "slot $new is in use; the same command goes forward again"
}

uninstall() {
    for unit in gloam-kiosk gloam-safe gloam; do
        ! is_booted || run systemctl stop "$unit.service" 2>/dev/null || true
        run systemctl disable -q "$unit.service" 2>/dev/null || true
        run rm -rf "$units/$unit.service" "$units/$unit.service.d"
    done
    run rm -f /etc/udev/rules.d/70-gloam.rules /etc/polkit-1/rules.d/50-gloam.rules
    run rm -f /etc/avahi/services/gloam.service /usr/local/bin/gloam
    run rm -rf "$opt"
    ! is_booted || run systemctl daemon-reload
    say "removed. The saves stay in $saves and belong to the user gloam. To remove them as well:"
    say "  sudo rm -r $saves && sudo userdel gloam && sudo userdel gloam-kiosk"
}

# Shows what the service itself says when it starts: the address, its QR code and, at first, the code to set up with.
finish() {
    if [ -n "$kiosk" ] && is_booted; then run systemctl start gloam-kiosk.service; fi
    if [ -n "$dry" ]; then return; fi
    if is_booted; then
        started=$(systemctl show -P InvocationID gloam.service)
        journalctl -q -a -o cat "_SYSTEMD_INVOCATION_ID=$started"
    else
        "$opt/current/bin/python" -c '
import segno, socket
from web.server import lan_address
url = f"http://{lan_address() or socket.gethostname()}:8000/"
print(f"After the next boot the table is at\n\n  {url}\n")
segno.make(url, error="l", micro=False).terminal(compact=True)'
    fi
}

command=install_release kiosk=
[ ! -e "$units/multi-user.target.wants/gloam-kiosk.service" ] || kiosk=yes
for argument; do
    case $argument in
    --dry-run) dry=yes ;;
    --kiosk) kiosk=yes ;;
    --back) command=go_back ;;
    --uninstall) command=uninstall ;;
    --model) find_model; exit ;;
    *) sed -n '2,/^set -eu/s/^# \{0,1\}//p' "$0"; exit 2 ;;
    esac
done
[ -n "$dry" ] || [ "$(id -u)" = 0 ] || fail "this needs root:  sudo $0 $*"
$command
