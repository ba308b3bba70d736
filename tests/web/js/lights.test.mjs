import "./fake_document.mjs";

import assert from "node:assert/strict";
import { test } from "node:test";

import { fallsOnPieces, firstOfEach, ledColour, overGlows, underGlow, LOOK } from "/static/js/lights.js";

const PLACES = [{ centre_mm: [50, 50], size_mm: [40, 40] }];
const glow = (meaning, tint = "", order = 0, level = 1) => [0, meaning, tint, order, level];

test("each meaning of a place comes before any comes again", () => {
  const glows = [glow("threat"), glow("threat"), glow("path"), glow("threat", "red")];
  assert.deepEqual(
    firstOfEach(glows).map(([, meaning, tint]) => meaning + tint),
    ["threat", "path", "threatred", "threat"],
  );
});

test("a ring comes with a sign, so that colour is never alone", () => {
  const [ring, sign] = overGlows([glow("threat")], PLACES);
  assert.match(ring.attributes.class, /^ring m-threat/);
  assert.equal(sign.text, "!");
});

test("a question has the colour of the legend, whoever is asked, and shines softly", () => {
  for (const meaning of ["legal", "choose", "place", "remove"]) {
    const [ring] = overGlows([glow(meaning, "red")], PLACES);
    const under = underGlow(glow(meaning, "red"), PLACES[0]);
    assert.doesNotMatch(ring.attributes.class + under.attributes.class, /t-red/);
    assert.ok(under.attributes.opacity < 0.35);
  }
  assert.match(underGlow(glow("turn", "red"), PLACES[0]).attributes.class, /t-red/);
});

test("the order of attacks stands in their signs", () => {
  const signs = overGlows([glow("attack", "", 2), glow("attack", "red", 1)], PLACES);
  assert.deepEqual(
    signs.filter((node) => node.tag === "g").map((node) => node.text),
    ["2", "1"],
  );
});

test("no more than five meanings are drawn in one place, each ring inside the other", () => {
  const many = ["threat", "attack", "path", "wrong", "place", "remove", "low"].map((one) => glow(one));
  const rings = overGlows(many, PLACES).filter((node) => node.tag === "rect");
  assert.equal(rings.length, 5);
  const widths = rings.map((ring) => Number(ring.attributes.width));
  assert.deepEqual(
    widths,
    [...widths].sort((a, b) => b - a),
  );
});

test("signs stay on their place, however large they must be to be read", () => {
  const many = ["threat", "attack", "path", "wrong", "place"].map((one) => glow(one));
  for (const least of [0, 8, 20]) {
    const signs = overGlows(many, PLACES, least).filter((node) => node.tag === "g");
    const lefts = signs.map(({ children: [{ attributes }] }) => attributes.cx - attributes.r);
    assert.ok(signs.length === 2 || Math.min(...lefts) >= 50 - 20 - 0.2 * 20, `${least}: ${lefts}`);
    assert.ok(signs.length >= 2);
  }
});

test("candle light falls onto the pieces, all other light shines from below", () => {
  assert.deepEqual(
    ["lit", "dim", "threat"].map((one) => fallsOnPieces(glow(one))),
    [true, false, false],
  );
});

test("a weak light is drawn weaker, and a level beyond its range as its end", () => {
  const opacity = (level) => Number(underGlow(glow("lit", "", 0, level), PLACES[0]).attributes.opacity);
  assert.deepEqual([-1, 0, 1, 9].map(opacity), [0.35, 0.35, 1, 1]);
  assert.ok(opacity(0.5) > opacity(0) && opacity(0.5) < opacity(1));
});

test("a dark LED is still seen, a bright one has its colour", () => {
  assert.equal(ledColour(undefined), ledColour([0, 0, 0]));
  assert.equal(ledColour([200, 0, 0]), "rgb(255 0 0)");
  assert.equal(ledColour([25, 25, 0]), "rgb(136 136 0)");
});

test("no two meanings look alike, whatever their colours", () => {
  const looks = Object.values(LOOK).map(([sign, kind]) => `${sign} ${kind}`);
  assert.deepEqual(
    looks.filter((look, i) => looks.indexOf(look) !== i),
    [],
  );
});
