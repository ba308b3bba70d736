import assert from "node:assert/strict";
import { test } from "node:test";

import { movesOf } from "/static/js/actions.js";
import { arranged, arrangements, ask, carried, choose, FEW, meant, withAtoms } from "/static/js/grammar.js";

const CELLS = ["a1", "b1", "a2", "b2"];
const game = {
  index: new Map(CELLS.map((name, i) => [name, i])),
  notes: ["note"],
  verbs: {
    lay: { roles: ["piece", "place", "turn"], rest: null, held: false },
    move: { roles: ["place"], rest: null, held: false },
    charge: { roles: ["place"], rest: null, held: false },
    give: { roles: ["seat", "piece", "seat"], rest: null, held: false },
    pair: { roles: ["pair"], rest: null, held: false },
    use: { roles: ["piece"], rest: "target", held: false },
    fit: { roles: ["turn"], rest: null, held: false },
    fall: { roles: ["choice"], rest: null, held: false },
    play: { roles: ["piece"], rest: null, held: false },
    discard: { roles: ["piece"], rest: null, held: false },
    foresee: { roles: ["piece"], rest: "piece", held: false },
    pass: { roles: [], rest: "piece", held: false },
    note: { roles: ["piece", "place"], rest: null, held: false },
    concede: { roles: [], rest: null, held: true },
    end: { roles: [], rest: null, held: false },
  },
};
const moves = (...texts) =>
  withAtoms(movesOf({ moves: [{ seat: 0, actions: texts.map((text) => [text, text]) }] }), game);
const texts = (list) => list.map((move) => move.text);
const laying = () =>
  moves(
    ...["cross", "bend"].flatMap((card) =>
      CELLS.flatMap((cell) => ["0", "90"].map((turn) => `lay ${card} ${cell} ${turn}`)),
    ),
  );

test("a card and a place may be touched first, in any order", () => {
  const { places, pieces, buttons, ready } = ask(laying());
  assert.deepEqual([...places.keys()], ["place:0", "place:1", "place:2", "place:3"]);
  assert.deepEqual([...pieces.keys()], ["piece:cross", "piece:bend"]);
  assert.deepEqual([buttons, ready], [[], []]);
});

test("a card lights only its places; then it lies there in every turn that is legal", () => {
  const all = [...laying(), ...moves("move b2")];
  const card = ask(all, ["piece:bend"]);
  assert.equal(card.places.size, 4);
  assert.equal(card.pieces.size, 0);
  const ghost = ask(all, ["piece:bend", "place:1"]);
  assert.deepEqual(texts(ghost.ready), ["lay bend b1 0", "lay bend b1 90"]);
});

test("a place that is touched first offers what can come there", () => {
  const { pieces, places } = ask(laying(), ["place:2"]);
  assert.deepEqual([...pieces.keys()], ["piece:cross", "piece:bend"]);
  assert.equal(places.size, 0);
});

test("another place moves the ghost", () => {
  const all = laying();
  assert.deepEqual(choose(all, ["piece:bend", "place:1"], "place:3"), ["piece:bend", "place:3"]);
  assert.deepEqual(choose(all, ["place:1"], "piece:cross"), ["place:1", "piece:cross"]);
  assert.deepEqual(choose([...all, ...moves("end")], ["place:1"], "piece:nothing"), ["place:1"]);
});

test("few actions on one place are told apart by their names", () => {
  const { buttons } = ask(moves("move a1", "charge a1", "move b1"), ["place:0"]);
  assert.deepEqual(texts(buttons), ["move a1", "charge a1"]);
});

test("what is done with a card stands side by side", () => {
  const hand = moves("play Rs", "discard Rs", "play Gm", "discard Gm", "end");
  assert.deepEqual([...ask(hand).pieces.keys()], ["piece:Rs", "piece:Gm"]);
  assert.deepEqual(texts(ask(hand).buttons), ["end"]);
  assert.deepEqual(texts(ask(hand, ["piece:Rs"]).buttons), ["play Rs", "discard Rs"]);
});

test("an item says whose it is, so that giving it takes two touches", () => {
  const all = moves("give ann rope bob", "give ann rope cid", "give bob lamp ann", "give bob lamp cid");
  const { buttons } = ask(all, ["piece:rope"]);
  assert.deepEqual(texts(buttons), ["give ann rope bob", "give ann rope cid"]);
  assert.deepEqual(texts(ask(all, ["piece:rope", "seat:cid"]).ready), ["give ann rope cid"]);
});

test("a pair is two places, whichever comes first", () => {
  const all = moves("pair a1-b1", "pair a1-a2", "pair b1-b2");
  assert.deepEqual([...ask(all, ["place:1"]).places.keys()], ["place:0", "place:3"]);
  assert.deepEqual(texts(ask(all, ["place:3", "place:1"]).ready), ["pair b1-b2"]);
});

test("a target is a place where the board has one, otherwise a piece", () => {
  const [there, who] = moves("use rope a2", "use rope ann");
  assert.deepEqual(there.atoms, ["piece:rope", "place:2"]);
  assert.deepEqual(who.atoms, ["piece:rope", "piece:ann"]);
});

test("turns alone lie there at once; a few words are buttons", () => {
  assert.deepEqual(texts(ask(moves("fit 0", "fit 90")).ready), ["fit 0", "fit 90"]);
  assert.deepEqual(texts(ask(moves("fall row", "fall column")).buttons), ["fall row", "fall column"]);
  assert.deepEqual(texts(ask(moves("fit 0", "end")).buttons), ["fit 0", "end"]);
});

test("the only action still begins on the board", () => {
  const { places, buttons, ready } = ask(moves("move b1"));
  assert.deepEqual([[...places.keys()], buttons, ready], [["place:1"], [], []]);
  assert.deepEqual(texts(ask(moves("end")).buttons), ["end"]);
});

test("notes light nothing until they are asked for", () => {
  const all = moves("end", "note ann a1", "note ann b1", "note bob a1", "note bob b1");
  const idle = ask(all);
  assert.deepEqual([idle.places.size, idle.pieces.size, idle.asides.length], [0, 0, 1]);
  assert.deepEqual([...ask(all, ["verb:note"]).pieces.keys()], ["piece:ann", "piece:bob"]);
  assert.equal(meant(all, ["place:0"]).length, 0);
});

test("what loses something is held", () => {
  assert.deepEqual(
    moves("concede", "end").map((move) => move.held),
    [true, false],
  );
});

/** All orders of a list. */
const orders = (list) =>
  list.length < 2
    ? [list]
    : list.flatMap((one, i) =>
        orders([...list.slice(0, i), ...list.slice(i + 1)]).map((rest) => [one, ...rest]),
      );

test("a hundred orders are one row of cards", () => {
  const all = moves(...orders(["Rs", "NM", "Gm", "Wk", "BD"]).map((row) => `foresee ${row.join(" ")}`));
  const [one, ...others] = arrangements(all, game);
  assert.deepEqual([others, one.kind, one.size, all.length], [[], "order", 5, 120]);
  assert.deepEqual(one.pool, ["Rs", "NM", "Gm", "Wk", "BD"]);
  const row = carried(one.pool, 4, 0);
  assert.deepEqual(row, ["BD", "Rs", "NM", "Gm", "Wk"]);
  assert.equal(arranged(one, row).text, "foresee BD Rs NM Gm Wk");
});

test("two cards that are alike stay two", () => {
  const all = moves(...new Set(orders(["Rs", "Rs", "Gm", "Wk"]).map((row) => `foresee ${row.join(" ")}`)));
  assert.deepEqual(arrangements(all, game)[0].pool, ["Rs", "Rs", "Gm", "Wk"]);
});

test("several cards are chosen as a set", () => {
  const all = moves("pass a", "pass b", "pass c", "pass a b", "pass a c", "pass b c");
  const [one] = arrangements(all, game);
  assert.deepEqual([one.kind, one.pool], ["set", ["a", "b", "c"]]);
  assert.equal(arranged(one, ["c", "a"]).text, "pass a c");
  assert.equal(arranged(one, ["a", "b", "c"]), undefined);
});

test("no question lists more than a few sentences after a touch", () => {
  const all = laying();
  for (const atom of ["piece:cross", "place:0"]) assert.ok(ask(all, [atom]).buttons.length <= FEW);
});
