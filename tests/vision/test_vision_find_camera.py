"""Cameras: files, streams, and devices that vanish, return, hang or give the wrong size."""

from __future__ import annotations

import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import cv2
import numpy as np
import pytest

from companion.engine.errors import ConfigError, DeviceError
from vision.camera import (
    Folder,
    Live,
    Mjpeg,
    PiCamera,
    Usb,
    Video,
    Virtual,
    frames,
    full_field,
    load_picture,
    open_camera,
)


def picture(value: int, size=(64, 48)) -> np.ndarray:
    return np.full((size[1], size[0], 3), value, np.uint8)


class FakeClock:
    def __init__(self) -> None:
        self.now = 100.0

    def __call__(self) -> float:
        return self.now


class FakeDevice:
    """Gives prepared pictures; None fails, an exception is raised, the last one repeats."""

    def __init__(self, *script) -> None:
        self.script = list(script)
        self.closed = False

    def grab(self):
        one = self.script.pop(0) if len(self.script) > 1 else self.script[0]
        if isinstance(one, Exception):
            raise one
        return None if one is None else (one, None)

    def close(self) -> None:
        self.closed = True


def live(clock, *devices, size=None):
    """A camera whose devices are opened one after the other; an exception stands for a failed opening."""
    waiting = list(devices)

    def opener():
        device = waiting.pop(0)
        if isinstance(device, Exception):
            raise device
        return device

    return Live(opener, "camera usb:0", size, clock)


def test_a_folder_gives_its_pictures_in_order_and_ends(tmp_path):
    for name, value in (("b.png", 20), ("a.png", 10), ("notes.txt", 0)):
        if name.endswith("png"):
            cv2.imwrite(str(tmp_path / name), picture(value))
        else:
            (tmp_path / name).write_text("no picture")
    assert [int(f.image[0, 0, 0]) for f in frames(open_camera(str(tmp_path)))] == [10, 20]


def test_an_empty_folder_is_refused(tmp_path):
    with pytest.raises(DeviceError, match="no pictures"):
        Folder(tmp_path)


def test_a_damaged_picture_is_named_and_passed_over(tmp_path):
    (tmp_path / "a.png").write_bytes(b"\x89PNG\r\n\x1a\nbroken")
    cv2.imwrite(str(tmp_path / "b.png"), picture(9))
    folder = Folder(tmp_path)
    with pytest.raises(DeviceError, match=r"a\.png"):
        folder.read()
    assert folder.read().number == 1


@pytest.mark.parametrize("content", [b"", b"hello", b"\xff\xd8\xff\xe0 not a jpeg"])
def test_a_file_that_is_no_picture_is_refused(tmp_path, content):
    path = tmp_path / "x.jpg"
    path.write_bytes(content)
    with pytest.raises(DeviceError, match="no picture"):
        load_picture(path)


def test_a_missing_file_is_refused(tmp_path):
    with pytest.raises(DeviceError, match="No such file"):
        load_picture(tmp_path / "x.jpg")


def test_a_video_gives_frames_with_their_times(tmp_path):
    path = tmp_path / "v.avi"
    writer = cv2.VideoWriter(str(path), cv2.VideoWriter.fourcc(*"MJPG"), 10, (64, 48))
    for value in (10, 120, 240):
        writer.write(picture(value))
    writer.release()
    got = list(frames(open_camera(str(path))))
    assert [f.number for f in got] == [0, 1, 2]
    assert got[2].time_s - got[1].time_s == pytest.approx(0.1, abs=0.02)
    assert abs(int(got[1].image[20, 20, 0]) - 120) < 6


def test_a_file_that_is_no_video_is_refused(tmp_path):
    (tmp_path / "v.mp4").write_bytes(b"no video")
    with pytest.raises(DeviceError, match="no video"):
        Video(tmp_path / "v.mp4")


@pytest.mark.parametrize("spec", ["usb:x", "/nowhere/at/all", "webcam"])
def test_an_unknown_camera_is_refused_with_the_known_ones(spec):
    with pytest.raises(ConfigError, match="usb:0"):
        open_camera(spec)


def test_the_virtual_camera_gives_what_is_rendered():
    clock = FakeClock()
    camera = Virtual(lambda: picture(7), clock)
    assert (camera.read().number, camera.read().time_s) == (0, 100.0)


def test_the_pi_camera_says_what_to_install():
    with pytest.raises(DeviceError, match="apt install python3-picamera2"):
        PiCamera((64, 48))


def test_a_live_camera_never_gives_a_frame_twice():
    clock = FakeClock()
    camera = live(clock, FakeDevice(picture(1), picture(2)))
    assert [camera.read().number, camera.read().number] == [0, 1]


def test_only_the_newest_frame_is_kept():
    camera = live(FakeClock(), FakeDevice(picture(1), picture(2), picture(3)))
    camera.pump()
    camera.pump()
    assert camera.read().image[0, 0, 0] == 3


def test_frames_from_before_a_time_are_not_given():
    clock = FakeClock()
    camera = live(clock, FakeDevice(picture(1), picture(2)))
    with pytest.raises(DeviceError):
        camera.read(after_s=100.5)
    clock.now = 101
    assert camera.read(after_s=100.5).image[0, 0, 0] == 2


def test_a_lost_camera_is_said_and_comes_back():
    clock = FakeClock()
    first = FakeDevice(picture(1), None)
    camera = live(clock, first, OSError("unplugged"), FakeDevice(picture(5)))
    camera.read()
    with pytest.raises(DeviceError, match="sends no picture"):
        camera.read()
    assert first.closed
    clock.now += 1
    with pytest.raises(DeviceError, match="unplugged"):
        camera.read()
    clock.now += 1
    assert camera.read().image[0, 0, 0] == 5
    assert camera.trouble == ""


def test_a_lost_camera_is_not_reopened_all_the_time():
    clock = FakeClock()
    camera = live(clock, OSError("busy"), FakeDevice(picture(5)))
    assert not camera.pump()
    assert not camera.pump()
    clock.now += 1
    assert camera.pump()


def test_an_error_of_the_device_counts_as_lost():
    camera = live(FakeClock(), FakeDevice(OSError("input/output error")))
    with pytest.raises(DeviceError, match=r"broke off: input/output error"):
        camera.read()


@pytest.mark.parametrize("error", [IndexError("list index out of range"), KeyError("pixel"), ValueError("")])
def test_whatever_a_library_raises_is_said_in_words_and_tried_again(error):
    clock = FakeClock()
    camera = live(clock, error, FakeDevice(error), FakeDevice(picture(5)))
    assert not camera.pump()
    assert camera.trouble.startswith(f"camera usb:0: {type(error).__name__}")
    clock.now += 1
    assert not camera.pump()
    assert "broke off" in camera.trouble and (str(error) or type(error).__name__) in camera.trouble
    clock.now += 1
    assert camera.read().image[0, 0, 0] == 5


def test_a_device_by_its_lasting_name_is_opened_at_its_number_of_the_moment(tmp_path, monkeypatch):
    opened = []

    class Capture:
        def __init__(self, number):
            opened.append(number)

        def isOpened(self):
            return True

        def set(self, what, value):
            return True

    monkeypatch.setattr(cv2, "VideoCapture", Capture)
    name = tmp_path / "usb-Maker_Camera-video-index0"
    for number in (0, 2):
        name.unlink(missing_ok=True)
        name.symlink_to(f"/dev/video{number}")
        Usb(str(name), (1920, 1080))
    assert opened == [0, 2]


def test_a_lasting_name_is_a_camera():
    camera = open_camera("/dev/v4l/by-id/usb-Maker_Camera-video-index0")
    assert isinstance(camera, Live)
    camera.close()


WHOLE, CUT = (0, 0, 4608, 2592), (768, 432, 3072, 1728)


@pytest.mark.parametrize(
    ("modes", "size"),
    [
        ([((1536, 864), CUT), ((2304, 1296), WHOLE), ((4608, 2592), WHOLE)], (2304, 1296)),
        ([((1640, 1232), (0, 0, 3280, 2464)), ((1920, 1080), (680, 692, 1920, 1080))], (1640, 1232)),
        ([], None),
    ],
)
def test_the_sensor_mode_that_sees_most_is_taken_and_is_no_larger_than_needed(modes, size):
    offered = [{"size": one, "bit_depth": 10, "crop_limits": crop} for one, crop in modes]
    found = full_field(offered, (1920, 1080))
    assert (found and found["size"]) == size


def test_a_frozen_camera_is_noticed_and_reopened():
    clock = FakeClock()
    camera = live(clock, FakeDevice(picture(1)), FakeDevice(picture(2)))
    for _ in range(3):
        camera.pump()
        clock.now += 1
    with pytest.raises(DeviceError, match="same picture again"):
        camera.read()
    clock.now += 1
    assert camera.read().image[0, 0, 0] == 2


def test_a_frozen_camera_that_sends_the_old_picture_again_stays_lost():
    clock = FakeClock()
    camera = live(clock, FakeDevice(picture(1)), FakeDevice(picture(1)), FakeDevice(picture(2)))
    for _ in range(4):
        camera.pump()
        clock.now += 1
    with pytest.raises(DeviceError, match="same picture again"):
        camera.read()
    clock.now += 1
    assert camera.read().image[0, 0, 0] == 2


def test_a_wrong_resolution_is_noted_with_both_sizes():
    camera = live(FakeClock(), FakeDevice(picture(1)), size=(1280, 720))
    camera.read()
    assert "64×48 instead of 1280×720" in camera.note


def test_closing_lets_go_of_the_device():
    device = FakeDevice(picture(1))
    camera = live(FakeClock(), device)
    camera.read()
    camera.close()
    assert device.closed


class _Stream(BaseHTTPRequestHandler):
    def do_GET(self) -> None:
        self.send_response(200)
        self.send_header("Content-Type", "multipart/x-mixed-replace; boundary=x")
        self.end_headers()
        for value in (10, 120, 240):
            jpeg = cv2.imencode(".jpg", picture(value))[1].tobytes()
            self.wfile.write(b"--x\r\nContent-Type: image/jpeg\r\n\r\n" + jpeg + b"\r\n")

    def log_message(self, *_: object) -> None:
        pass


def test_an_mjpeg_stream_gives_its_pictures_and_then_is_lost():
    server = ThreadingHTTPServer(("127.0.0.1", 0), _Stream)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        device = Mjpeg(f"http://127.0.0.1:{server.server_port}/")
        values = [int(device.grab()[0][20, 20, 0]) for _ in range(3)]
        assert all(abs(a - b) < 6 for a, b in zip(values, (10, 120, 240), strict=True))
        assert device.grab() is None
        device.close()
    finally:
        server.shutdown()
        server.server_close()


def test_a_started_camera_reads_in_the_background():
    camera = Live(lambda: FakeDevice(*(picture(i) for i in range(250))), "camera usb:0").start()
    try:
        first = camera.read()
        assert camera.read().number > first.number
    finally:
        camera.close()
