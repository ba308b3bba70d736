// Keeps the screen on while a game is shown: by the wake lock where the browser gives one, which it does on a safe
// address alone; elsewhere by a silent film of our own that plays in a corner, as a screen does not sleep under a film.

const FORMATS = ["video/mp4", "video/webm"];
let film = null;
let lock = null;
let wanted = false;

/** Asks for a screen that stays on; browsers grant it only after a touch, so each touch asks again. */
export function stayAwake() {
  if (wanted) return;
  wanted = true;
  for (const kind of ["pointerdown", "keydown"]) addEventListener(kind, hold, { passive: true });
  document.addEventListener("visibilitychange", () => {
    if (document.visibilityState === "visible" && (lock || film)) hold();
  });
}

async function hold() {
  if (lock && !lock.released) return;
  try {
    if (navigator.wakeLock) lock = await navigator.wakeLock.request("screen");
    else await play();
    document.documentElement.dataset.awake = "yes";
  } catch {
    /* a battery that runs low, or a browser that films nothing: the screen may sleep */
  }
}

async function play() {
  film ||= await shoot();
  if (film.paused) await film.play();
}

/** A second of darkness with a silent sound track, filmed by the browser itself. */
async function shoot() {
  const canvas = Object.assign(document.createElement("canvas"), { width: 16, height: 16 });
  const pen = canvas.getContext("2d");
  const stream = canvas.captureStream(5);
  const audio = new AudioContext();
  const silence = audio.createGain();
  silence.gain.value = 0;
  const tone = audio.createOscillator();
  const out = audio.createMediaStreamDestination();
  tone.connect(silence).connect(out);
  tone.start();
  stream.addTrack(out.stream.getAudioTracks()[0]);
  if (!FORMATS.some((format) => MediaRecorder.isTypeSupported(format))) {
    return screenOf({ srcObject: stream }, pen);
  }
  const parts = [];
  const recorder = new MediaRecorder(stream);
  recorder.ondataavailable = ({ data }) => parts.push(data);
  const shot = new Promise((done) => {
    recorder.onstop = done;
  });
  recorder.start();
  for (let i = 0; i < 6; i += 1) {
    pen.fillStyle = i % 2 ? "#000" : "#010101";
    pen.fillRect(0, 0, 16, 16);
    await new Promise((done) => setTimeout(done, 200));
  }
  recorder.stop();
  await shot;
  tone.stop();
  await audio.close();
  return screenOf({ src: URL.createObjectURL(new Blob(parts, { type: recorder.mimeType })) });
}

/** A corner of the page that shows a film, or, where the browser records none, the darkness as it is drawn. */
function screenOf(source, pen) {
  const made = document.createElement("video");
  Object.assign(made, { loop: true, ...source });
  if (pen) setInterval(() => pen.fillRect(0, 0, 16, 16), 1000);
  made.setAttribute("playsinline", "");
  made.setAttribute("aria-hidden", "true");
  made.className = "awake-film";
  document.body.append(made);
  return made;
}

/** Whether this page can take the whole screen. */
export const canFill = () => Boolean(document.documentElement.requestFullscreen);

/** Takes the whole screen, or gives it back. */
export async function fillScreen() {
  if (document.fullscreenElement) await document.exitFullscreen();
  else await document.documentElement.requestFullscreen({ navigationUI: "hide" });
}
