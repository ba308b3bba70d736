// Runs the real firmware on the real MicroPython VM (its WebAssembly build) and talks lines of JSON.
//   node vm_chip.mjs PATH/TO/micropython.mjs FIRMWARE_FILE …
// In:  {"to": ms, "data": hex or null, "masks": [buttons, cells, beam], "boot": n or 0},
//   or {"run": python code}
// Out: {"said": hex, "frames": [[ms, hex], …]}, or {"printed": text}
import fs from "node:fs";
import path from "node:path";
import readline from "node:readline";
import { pathToFileURL } from "node:url";

const [library, ...firmware] = process.argv.slice(2);
const { loadMicroPython } = await import(pathToFileURL(library));
let printed = "";
const vm = await loadMicroPython({
  heapsize: 512 * 1024,
  linebuffer: true,
  stdout: (line) => {
    printed += `${line}\n`;
  },
});

for (const file of firmware) {
  // There is no machine code in WebAssembly: the one line that asks for it is left out.
  const source = fs.readFileSync(file, "utf8").replaceAll("@micropython.viper\n", "\n");
  vm.FS.writeFile(`/${path.basename(file)}`, source);
}

vm.runPython(`
import sys
from binascii import hexlify, unhexlify
sys.path.insert(0, "/")
from node import Node
from sensors import Sensors

class Reader:
    def __init__(self, first, count):
        self.first, self.count, self.mask = first, count, 0
    def read(self):
        return self.mask

class Strip:
    def __init__(self):
        self.frames = []
    def ready(self):
        return True
    def show(self, frame):
        self.frames.append((now, hexlify(frame).decode()))

readers = [Reader(128, 4), Reader(0, 64), Reader(160, 1)]
strip, said, now, start = Strip(), bytearray(), 0, 0

def boot(number):
    global node, start
    said[:] = b""
    start = now
    node = Node(strip, Sensors(readers), said.extend, number)
    node.greet()

def step(to, data, masks):
    global now
    for reader, mask in zip(readers, masks.split()):
        reader.mask = int(mask)
    while now + 4 <= to:
        now += 4
        node.tick(now - start)
    if data:
        node.receive(unhexlify(data), now - start)

def answer():
    out = hexlify(said).decode(), "".join("%d:%s " % frame for frame in strip.frames)
    said[:] = b""
    strip.frames.clear()
    return out[0] + " " + out[1]
`);
const [boot, step, answer] = ["boot", "step", "answer"].map((name) => vm.globals.get(name));

for await (const line of readline.createInterface({ input: process.stdin })) {
  const ask = JSON.parse(line);
  let reply;
  try {
    if (ask.run) {
      printed = "";
      vm.runPython(ask.run);
      reply = { printed };
    } else {
      step(ask.to, ask.data ?? "", ask.masks.join(" "));
      if (ask.boot) boot(ask.boot);
      const [said, ...frames] = answer().trimEnd().split(" ");
      reply = { said, frames: frames.filter(Boolean).map((frame) => frame.split(":")) };
    }
  } catch (error) {
    reply = { error: String(error) };
  }
  process.stdout.write(`${JSON.stringify(reply)}\n`);
}
