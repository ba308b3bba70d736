"""A USB serial line to the microcontroller, by pyserial."""

from __future__ import annotations

import errno

import serial
from serial.tools import list_ports

from companion.engine.errors import DeviceError

PICO_VENDOR = 0x2E8A
_BUSY = "; another program uses it. If the table runs, stop it first:  sudo systemctl stop gloam"
REMEDIES = {
    errno.EAGAIN: _BUSY,
    errno.EBUSY: _BUSY,
    errno.EACCES: "; your user may not open it:  sudo usermod -aG dialout $USER  and log in again",
}
"""What to do about a port that cannot be opened, by the system's error number."""


class SerialLink:
    """A `Link` over a serial port that nobody else may open meanwhile."""

    def __init__(self, port: str) -> None:
        """Opens `port`; "auto" takes the first Pico that is plugged in."""
        name = find_pico() if port == "auto" else port
        try:
            self._port = serial.Serial(name, 115_200, timeout=0, write_timeout=0.25, exclusive=True)
        except (OSError, ValueError) as error:
            remedy = REMEDIES.get(getattr(error, "errno", None) or 0, "")
            raise DeviceError(f"{name} cannot be opened ({error}){remedy}") from error

    def write(self, data: bytes) -> None:
        try:
            self._port.write(data)
        except OSError as error:
            raise DeviceError(f"{self._port.name} does not take data ({error})") from error

    def read(self) -> bytes:
        try:
            return bytes(self._port.read(4096))
        except OSError as error:  # an unplugged port raises both pyserial's error and the plain one
            raise DeviceError(f"{self._port.name} was unplugged ({error})") from error

    def close(self) -> None:
        try:
            self._port.close()
        except OSError:
            return  # it is gone already


def find_pico() -> str:
    """Names the port of the first Pico; raises `DeviceError` when there is none."""
    for port in list_ports.comports():
        if port.vid == PICO_VENDOR:
            return str(port.device)
    raise DeviceError("no Pico is plugged in; connect it by USB, or name its port in [lights] port")
