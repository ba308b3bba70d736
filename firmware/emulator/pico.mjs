// A Raspberry Pi Pico in software: rp2040js with a boot ROM of our own, USB serial on stdin and stdout.
//   node pico.mjs PATH/TO/rp2040js/dist/esm/index.js FLASH.bin OUT IN
// Descriptor OUT: lines of JSON: {"ms": simulated time}, and one for each frame decoded from GP0 with its
// bytes and times.
// Descriptor IN: lines of JSON: {"pin": 10, "level": 0} moves an input, {"save": PATH} writes the flash,
// {"reeds": {"rows": [2], "columns": [15], "closed": [[2, 15]]}} wires switches and closes some,
//   {"hang": true} stops the processor as a bug would, while time goes on.
//
// The real boot ROM is not free. Each of its functions is `bkpt n; bx lr` here, and n is done in JavaScript.
// PIO state machines are stepped by their own clock divider, so that waveforms have true times.
import fs from "node:fs";
import readline from "node:readline";
import { pathToFileURL } from "node:url";

const [library, flashFile, out, into] = process.argv.slice(2);
const { RP2040, USBCDC, ConsoleLogger, LogLevel } = await import(pathToFileURL(library));
const FLASH = 2 * 1024 * 1024;
const PULLED_UP = [10, 11, 12, 13, 14];

// The boot ROM ------------------------------------------------------------------------------------

const bits = new DataView(new ArrayBuffer(8));
const asFloat = (word) => (bits.setUint32(0, word), bits.getFloat32(0));
const fromFloat = (value) => (bits.setFloat32(0, value), bits.getUint32(0));
const asDouble = (low, high) => (bits.setUint32(0, high), bits.setUint32(4, low), bits.getFloat64(0));
const asLong = (low, high) => (BigInt(high) << 32n) | BigInt(low);

function clamp(value, low, high) {
  return value !== value ? 0 : value < low ? low : value > high ? high : Math.floor(value);
}

function buildRom(mcu) {
  const rom = new Uint8Array(16 * 1024);
  const view = new DataView(rom.buffer);
  const r = mcu.core.registers;
  const natives = [];
  let next = 0x100;
  const stub = (action) => {
    view.setUint16(next, 0xbe00 | (natives.push(action) - 1), true);
    view.setUint16(next + 2, 0x4770, true);
    next += 4;
    return (next - 4) | 1;
  };
  const code = (name) => name.charCodeAt(0) | (name.charCodeAt(1) << 8);
  const table = (entries) => {
    const start = next;
    for (const [name, pointer] of entries) {
      view.setUint16(next, code(name), true);
      view.setUint16(next + 2, pointer, true);
      next += 4;
    }
    next += 4;
    return start;
  };
  const bytes = (to, from, count) => {
    for (let i = 0; i < count; i++) mcu.writeUint8(to + i, mcu.readUint8(from + i));
  };
  const fill = () => {
    for (let i = 0; i < r[2]; i++) mcu.writeUint8(r[0] + i, r[1] & 255);
  };
  const copy = () => bytes(r[0], r[1], r[2]);
  const reverse = (word) => {
    let turned = 0;
    for (let i = 0; i < 32; i++) turned = (turned << 1) | ((word >>> i) & 1);
    return turned >>> 0;
  };
  const functions = [
    [
      "P3",
      () => {
        let n = 0;
        for (let w = r[0]; w; w = (w & (w - 1)) >>> 0) n++;
        r[0] = n;
      },
    ],
    [
      "R3",
      () => {
        r[0] = reverse(r[0]);
      },
    ],
    [
      "L3",
      () => {
        r[0] = Math.clz32(r[0]);
      },
    ],
    [
      "T3",
      () => {
        r[0] = r[0] ? 31 - Math.clz32(r[0] & -r[0]) : 32;
      },
    ],
    ["MS", fill],
    ["S4", fill],
    ["MC", copy],
    ["C4", copy],
    ["IF", () => {}],
    ["EX", () => {}],
    ["FC", () => {}],
    ["CX", () => {}],
    ["UB", () => {}],
    ["RE", () => mcu.flash.fill(0xff, r[0], r[0] + r[1])],
    [
      "RP",
      () => {
        for (let i = 0; i < r[2]; i++) mcu.flash[r[0] + i] &= mcu.readUint8(r[1] + i);
      },
    ],
  ].map(([name, action]) => [name, stub(action)]);

  // Floating point, single and double: the same functions over other registers.
  const single = {
    x: () => asFloat(r[0]),
    y: () => asFloat(r[1]),
    places: () => r[1],
    longPlaces: () => r[2],
    give: (value) => {
      r[0] = fromFloat(value);
    },
  };
  const double = {
    x: () => asDouble(r[0], r[1]),
    y: () => asDouble(r[2], r[3]),
    places: () => r[2],
    longPlaces: () => r[2],
    give: (value) => {
      bits.setFloat64(0, value);
      r[1] = bits.getUint32(0);
      r[0] = bits.getUint32(4);
    },
  };
  const int = (value) => {
    r[0] = clamp(value, -2147483648, 2147483647) >>> 0;
  };
  const uint = (value) => {
    r[0] = clamp(value, 0, 4294967295) >>> 0;
  };
  const long = (value, signed) => {
    let whole = BigInt(clamp(value, -9.3e18, 1.9e19));
    const [low, high] = signed ? [-(2n ** 63n), 2n ** 63n - 1n] : [0n, 2n ** 64n - 1n];
    whole = BigInt.asUintN(64, whole < low ? low : whole > high ? high : whole);
    r[0] = Number(whole & 0xffffffffn);
    r[1] = Number(whole >> 32n);
  };
  const toLong = (signed) => Number(signed ? BigInt.asIntN(64, asLong(r[0], r[1])) : asLong(r[0], r[1]));
  const arithmetic = (f, other) => {
    const compare = () => {
      const a = f.x(),
        b = f.y();
      r[0] = (a < b ? -1 : a > b ? 1 : 0) >>> 0;
    };
    return [
      () => f.give(f.x() + f.y()),
      () => f.give(f.x() - f.y()),
      () => f.give(f.x() * f.y()),
      () => f.give(f.x() / f.y()),
      compare,
      compare,
      () => f.give(Math.sqrt(f.x())),
      () => int(f.x()),
      () => int(f.x() * 2 ** f.places()),
      () => uint(f.x()),
      () => uint(f.x() * 2 ** f.places()),
      () => f.give(r[0] | 0),
      () => f.give((r[0] | 0) / 2 ** r[1]),
      () => f.give(r[0]),
      () => f.give(r[0] / 2 ** r[1]),
      () => f.give(Math.cos(f.x())),
      () => f.give(Math.sin(f.x())),
      () => f.give(Math.tan(f.x())),
      () => {},
      () => f.give(Math.exp(f.x())),
      () => f.give(Math.log(f.x())),
      compare,
      () => f.give(Math.atan2(f.x(), f.y())),
      () => f.give(toLong(true)),
      () => f.give(toLong(true) / 2 ** r[2]),
      () => f.give(toLong(false)),
      () => f.give(toLong(false) / 2 ** r[2]),
      () => long(f.x(), true),
      () => long(f.x() * 2 ** f.places(), true),
      () => long(f.x(), false),
      () => long(f.x() * 2 ** f.places(), false),
      () => other.give(f.x()),
    ].map(stub);
  };
  const data = [
    ["SF", arithmetic(single, double)],
    ["SD", arithmetic(double, single)],
  ].map(([name, pointers]) => {
    view.setUint8(next + 2, pointers.length); // its size stands two bytes before the table
    next += 4;
    const start = next;
    for (const pointer of pointers) (view.setUint32(next, pointer, true), (next += 4));
    return [name, start];
  });
  const find = stub(() => {
    for (let at = r[0]; ; at += 4) {
      const name = view.getUint16(at, true);
      if (!name || name === (r[1] & 0xffff)) {
        r[0] = name ? view.getUint16(at + 2, true) : 0;
        return;
      }
    }
  });
  rom.set([0x4d, 0x75, 0x01, 0x03], 0x10); // "Mu", and the version of the ROM
  view.setUint16(0x14, table(functions), true);
  view.setUint16(0x16, table(data), true);
  view.setUint16(0x18, find, true);
  mcu.bootrom.set(new Uint32Array(rom.buffer));
  mcu.onBreak = (number) => natives[number]();
}

// The LED line ------------------------------------------------------------------------------------

const tell = (report) => fs.writeSync(Number(out), `${JSON.stringify(report)}\n`);

class DataLine {
  constructor() {
    this.clear();
    this.rose = this.fell = 0;
  }
  clear() {
    this.bits = [];
    this.times = { zero: [], one: [], period: [] };
  }
  edge(high, now) {
    if (high) {
      this.flush(now, 5_000);
      if (this.bits.length) this.times.period.push(now - this.rose);
      this.rose = now;
    } else if (now > this.rose) {
      const width = now - this.rose;
      const bit = width > 560 ? 1 : 0;
      this.times[bit ? "one" : "zero"].push(width);
      this.bits.push(bit);
      this.fell = now;
    }
  }
  flush(now, gap) {
    if (!this.bits.length || now - this.fell < gap) return;
    const frame = [];
    for (let i = 0; i + 8 <= this.bits.length; i += 8) {
      frame.push(parseInt(this.bits.slice(i, i + 8).join(""), 2));
    }
    const range = (list) => (list.length ? [Math.min(...list), Math.max(...list)].map(Math.round) : null);
    const report = {
      frame: Buffer.from(frame).toString("hex"),
      bits: this.bits.length,
      ms: (passed + this.fell) / 1e6,
      gap_us: (now - this.fell) / 1e3,
      zero_ns: range(this.times.zero),
      one_ns: range(this.times.one),
      period_ns: range(this.times.period),
    };
    tell(report);
    this.clear();
  }
}

// The board ---------------------------------------------------------------------------------------

const waiting = [];
let mcu,
  serial,
  line,
  restart,
  hangs,
  told = 0;
let passed = 0; // simulated time before the last restart, in ns

function boot(flash) {
  restart = hangs = false;
  mcu = new RP2040();
  mcu.logger = new ConsoleLogger(LogLevel.Error, false);
  buildRom(mcu);
  mcu.flash.set(flash);
  mcu.core.PC = 0x10000000;
  mcu.core.registers[14] = 0;
  mcu.core.registers[13] = 0x20042000;
  const watchdog = mcu.peripherals[0x40058];
  watchdog.onWatchdogTrigger = () => {
    restart = true;
    watchdog.alarm.enable = false; // or it would ring for ever at this very moment
  };
  for (const pio of mcu.pio) {
    pio.run = () => {};
    for (const machine of pio.machines) machine.time = 0;
  }
  for (const pin of PULLED_UP) mcu.gpio[pin].setInputValue(true);
  wireReeds();
  line = new DataLine();
  mcu.gpio[0].addListener((state) => line.edge(state === 1, edgeTime));
  serial = new USBCDC(mcu.usbCtrl);
  serial.onSerialData = (data) => {
    if (data.length) process.stdout.write(Buffer.from(data));
  };
}

// Switches in rows and columns: a column is pulled down while a row with a closed switch in it is.
let reeds = { rows: [], columns: [], closed: [] };

function wireReeds() {
  for (const row of reeds.rows) mcu.gpio[row].addListener(senseReeds);
  senseReeds();
}

function senseReeds() {
  for (const column of reeds.columns) {
    const isLow = reeds.closed.some(([r, c]) => c === column && mcu.gpio[r].value === 0);
    mcu.gpio[column].setInputValue(!isLow);
  }
}

let edgeTime = 0;

function stepPio(now, cycle) {
  for (const pio of mcu.pio) {
    if (pio.stopped) continue;
    for (const machine of pio.machines) {
      if (!machine.enabled) continue;
      if (machine.waiting) {
        machine.checkWait();
        if (machine.waiting) {
          machine.time = now;
          continue;
        }
      }
      const tick = cycle * (machine.clockDivInt + machine.clockDivFrac / 256);
      while (machine.time <= now) {
        const before = machine.cycles;
        edgeTime = machine.time;
        machine.step();
        pio.checkChangedPins();
        if (machine.waiting) {
          machine.time = now;
          break;
        }
        machine.time += Math.max(1, machine.cycles - before) * tick;
      }
    }
  }
}

function run(steps) {
  const { core, clock } = mcu;
  const busy = () => mcu.pio.some((pio) => !pio.stopped && pio.machines.some((m) => m.enabled && !m.waiting));
  for (let i = 0; i < steps && !restart; i++) {
    const cycle = 1e9 / mcu.clkSys;
    if (hangs) {
      clock.tick(50_000);
    } else if (core.waiting) {
      const alarm = clock.nanosToNextAlarm || 1000;
      clock.tick(Math.min(alarm, busy() ? 500 : 50_000));
    } else {
      clock.tick(core.executeInstruction() * cycle);
    }
    stepPio(clock.nanos, cycle);
  }
}

function turn() {
  while (waiting.length && !serial.txFIFO.full) serial.sendSerialByte(waiting.shift());
  run(20_000);
  line.flush(mcu.clock.nanos, 280_000);
  const now = passed + mcu.clock.nanos;
  if (now - told >= 2e6) {
    told = now;
    tell({ ms: now / 1e6 });
  }
  if (restart) {
    passed = now;
    boot(mcu.flash.slice(0, FLASH));
  }
  setImmediate(turn);
}

process.stdin.on("data", (data) => waiting.push(...data));
process.stdin.on("end", () => process.exit(0));
readline.createInterface({ input: fs.createReadStream(null, { fd: Number(into) }) }).on("line", (text) => {
  const ask = JSON.parse(text);
  if (ask.hang) hangs = true;
  else if (ask.reeds) {
    const isNew = !reeds.rows.length;
    reeds = ask.reeds;
    if (isNew) wireReeds();
    else senseReeds();
  } else if (ask.save) fs.writeFileSync(ask.save, mcu.flash.slice(0, FLASH));
  else mcu.gpio[ask.pin].setInputValue(!!ask.level);
});

const image = new Uint8Array(FLASH).fill(0xff);
image.set(fs.readFileSync(flashFile));
boot(image);
turn();
