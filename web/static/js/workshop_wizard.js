// The first run, step by step; every step can be skipped, and what is skipped is simulated.

import { h, replace } from "./dom.js";
import { get, post } from "./net.js";
import { language, setLanguage, t } from "./text.js";
import { attempt, View, withBench } from "./workshop_bench.js";
import { pinForm } from "./workshop_care.js";
import { cardSheet, sheet } from "./workshop_camera.js";

const STEPS = {
  language: languageStep,
  pin: pinStep,
  camera: cameraStep,
  lights: lightsStep,
  board: boardStep,
  turn: turnStep,
};
const NAMES = Object.keys(STEPS);
let step = 0;

export async function draw(box, visit) {
  const mine = {
    get on() {
      return visit.on && mine.step === step;
    },
    step,
  };
  const state = await get("/api/workshop/state");
  if (!visit.on) return;
  const go = (by) => {
    step = Math.min(Math.max(step + by, 0), NAMES.length - 1);
    draw(box, visit);
  };
  const body = h("div", { class: "step" });
  replace(
    box,
    h(
      "section",
      { class: "card wizard", "data-step": NAMES[step] },
      h("p", { class: "quiet" }, t("wizard.step", { n: step + 1, of: NAMES.length })),
      h("progress", {
        max: NAMES.length,
        value: step + 1,
        "aria-label": t("wizard.step", { n: step + 1, of: NAMES.length }),
      }),
      h("h2", {}, t(`wizard.${NAMES[step]}`)),
      body,
      h(
        "div",
        { class: "buttons" },
        step ? h("button", { "data-key": "back", onclick: () => go(-1) }, t("wizard.back")) : null,
        NAMES[step] === "camera" || NAMES[step] === "lights"
          ? h(
              "button",
              { "data-key": "skip", onclick: () => simulate(NAMES[step], state, () => go(1)) },
              t("wizard.skip"),
            )
          : null,
        step < NAMES.length - 1
          ? h("button", { class: "go", "data-key": "next", onclick: () => go(1) }, t("wizard.next"))
          : null,
      ),
    ),
  );
  await STEPS[NAMES[step]](body, mine, state, () => draw(box, visit));
}

const change = (changes) => attempt(() => post("/api/workshop/settings", { changes }));

async function simulate(name, state, after) {
  const changes = name === "camera" ? { camera: { source: "virtual" } } : { lights: { driver: "virtual" } };
  const is = name === "camera" ? state.camera.source : state.lights.driver;
  if (is === "virtual" || (await change(changes)) !== undefined) after();
}

function languageStep(body) {
  const pick = (key, name) =>
    h(
      "button",
      {
        lang: key,
        "data-key": `lang-${key}`,
        "aria-pressed": String(language === key),
        onclick: async () => {
          if ((await change({ table: { language: key } })) === undefined) return;
          await setLanguage(key);
          dispatchEvent(new HashChangeEvent("hashchange"));
        },
      },
      name,
    );
  replace(
    body,
    h("p", {}, t("wizard.language.text")),
    h("div", { class: "buttons" }, pick("en", "English"), pick("ru", "Русский")),
  );
}

function pinStep(body) {
  replace(
    body,
    pinForm(() => body.closest(".wizard").querySelector("[data-key=next]").click()),
  );
}

/** A list of which one is chosen; `ask` makes the field that a choice needs. */
function choices(name, list, now) {
  return h(
    "fieldset",
    { class: "choices" },
    h("legend", { class: "unseen" }, t(`wizard.${name}`)),
    list.map(([value, text]) => {
      const id = `${name}-${value}`;
      return h(
        "span",
        { class: "choice" },
        h("input", { type: "radio", name, id, value, checked: value === now }),
        h("label", { for: id }, text),
      );
    }),
  );
}

function cameraStep(body, visit, state) {
  const usb = state.cameras
    .map((name) => Number(name.replace("video", "")))
    .filter((n) => !Number.isNaN(n))
    .slice(0, 8);
  const source = state.camera.source;
  const isNet = source.startsWith("http");
  const list = [
    ["virtual", t("wizard.camera.virtual")],
    ...usb.map((n) => [`usb:${n}`, t("wizard.camera.usb", { n })]),
    ["pi", t("wizard.camera.pi")],
    ["net", t("wizard.camera.net")],
    ["none", t("wizard.camera.none")],
  ];
  const address = h("input", {
    id: "camera-address",
    type: "url",
    placeholder: "http://192.168.1.20:8080/video",
    value: isNet ? source : "",
  });
  const box = h("div", {});
  replace(
    body,
    h("p", {}, t("wizard.camera.text")),
    h(
      "form",
      {
        onsubmit: async (event) => {
          event.preventDefault();
          const value = new FormData(event.target).get("camera");
          if ((await change({ camera: { source: value === "net" ? address.value : value } })) === undefined) {
            return;
          }
          if (value === "none") replace(box);
          else show();
        },
      },
      choices("camera", list, isNet ? "net" : source),
      h("label", { for: "camera-address" }, t("wizard.camera.address")),
      address,
      h("div", { class: "buttons" }, h("button", { "data-key": "try-camera" }, t("wizard.try"))),
    ),
    box,
  );
  const show = () =>
    withBench(
      box,
      visit,
      (inner) => {
        replace(inner, new View(visit).box);
      },
      { pick: false },
    );
}

function lightsStep(body, visit, state) {
  const list = ["virtual", "chip", "spi", "neopixel", "ddp"].map((driver) => [
    driver,
    t(`wizard.lights.${driver}`),
  ]);
  const host = h("input", { id: "lights-host", value: state.lights.host, autocomplete: "off" });
  const supply = h("input", {
    id: "lights-supply",
    type: "number",
    min: 50,
    max: 60000,
    required: true,
    value: state.lights.supply_ma,
  });
  const found = h("ul", { class: "wled" });
  const said = h("p", { role: "status" });
  const detail = h("p", { class: "quiet detail", lang: "en" });
  const box = h("div", {});
  replace(
    body,
    h("p", {}, t("wizard.lights.text")),
    h(
      "form",
      {
        onsubmit: async (event) => {
          event.preventDefault();
          const driver = new FormData(event.target).get("lights");
          const lights = { driver, host: host.value, supply_ma: Number(supply.value) };
          replace(found);
          if (driver === "ddp") {
            const told = await attempt(() => post("/api/workshop/wled", { host: host.value }));
            if (told === undefined) return;
            Object.assign(lights, asWledSays(told.devices, lights.supply_ma));
            supply.value = lights.supply_ma;
            replace(
              found,
              told.devices.map((one) =>
                h(
                  "li",
                  {},
                  t(one.limit_ma ? "wizard.lights.wled" : "wizard.lights.wled-open", {
                    ...one,
                    white: t(one.order.includes("W") ? "wizard.lights.white" : "wizard.lights.colours"),
                  }),
                ),
              ),
            );
          }
          if ((await change({ lights })) === undefined) return;
          await withBench(
            box,
            visit,
            async (inner) => {
              replace(inner);
              if ((await attempt(() => post("/api/workshop/show", { pattern: "rainbow" }))) === undefined) {
                return;
              }
              const now = await get("/api/workshop/test");
              said.textContent = t(now.lights ? "test.works" : "test.fails");
              detail.textContent = now.lights_detail;
            },
            { pick: false },
          );
        },
      },
      choices("lights", list, state.lights.driver),
      h("label", { for: "lights-host" }, t("wizard.lights.host")),
      host,
      h("label", { for: "lights-supply" }, t("wizard.lights.supply")),
      supply,
      h("div", { class: "buttons" }, h("button", { "data-key": "try-lights" }, t("wizard.try"))),
    ),
    found,
    said,
    detail,
    box,
  );
}

/** The settings that follow from what WLED drives: white only where all have it, no more than the least limit. */
function asWledSays(devices, supply) {
  const white = devices.every((one) => one.order.includes("W"));
  const limits = devices.map((one) => one.limit_ma).filter(Boolean);
  return { order: white ? "GRBW" : "GRB", supply_ma: Math.min(supply, ...limits) };
}

function boardStep(body, visit) {
  return withBench(body, visit, (inner, state) => {
    replace(
      inner,
      h(
        "div",
        { class: "two" },
        new View(visit).box,
        h("div", { class: "stack" }, cardSheet(), sheet(state)),
      ),
    );
  });
}

function turnStep(body, visit, state) {
  replace(
    body,
    h("p", {}, t("wizard.turn.text")),
    h("p", { class: "quiet", "data-phones": state.phones.startsWith("https") ? "safe" : "plain" }, [
      t(state.phones.startsWith("https") ? "wizard.phones.safe" : "wizard.phones.plain", {
        address: state.phones,
      }),
    ]),
    h(
      "div",
      { class: "buttons" },
      state.games.map((game) =>
        h(
          "button",
          {
            class: "go",
            "data-try": game.key,
            onclick: async () => {
              if ((await attempt(() => post("/api/start", { game: game.key, options: {} }))) !== undefined) {
                location.assign("/");
              }
            },
          },
          game.title,
        ),
      ),
    ),
  );
}
