import assert from "node:assert/strict";
import { test } from "node:test";

import { fillText, plural, t } from "/static/js/text.js";

const CARDS = "{n} {n#карта|карты|карт}";

test("Russian numbers take one of three forms", () => {
  const said = [0, 1, 2, 4, 5, 11, 12, 14, 21, 22, 25, 101, 111].map((n) => fillText(CARDS, { n }, "ru"));
  assert.deepEqual(said, [
    "0 карт",
    "1 карта",
    "2 карты",
    "4 карты",
    "5 карт",
    "11 карт",
    "12 карт",
    "14 карт",
    "21 карта",
    "22 карты",
    "25 карт",
    "101 карта",
    "111 карт",
  ]);
});

test("English numbers take one of two forms", () => {
  assert.deepEqual(
    [0, 1, 2, 21].map((n) => fillText("{n} {n#card|cards}", { n }, "en")),
    ["0 cards", "1 card", "2 cards", "21 cards"],
  );
});

test("a number below zero takes the form of its size", () => {
  assert.equal(plural("en", -1), 0);
  assert.equal(plural("ru", -3), 1);
});

test("blanks are filled by name, as often as they stand there", () => {
  assert.equal(fillText("{who} and {other}, {who}", { who: "Ann", other: "Bob" }), "Ann and Bob, Ann");
});

test("a text in braces that is given stays as it is", () => {
  assert.equal(fillText("{name}", { name: "{n#a|b} <b>" }), "{n#a|b} <b>");
});

test("an unknown text is its key", () => {
  assert.equal(t("no.such-text"), "no.such-text");
});
