// Two fingers enlarge a board and move it; one finger keeps what it does there.

const MOST = 4;

/** Makes what lies in a box follow two fingers; returns a function that puts it back as it was. */
export function pinchable(box) {
  const fingers = new Map();
  let scale = 1,
    at = [0, 0];
  const show = () => {
    box.style.setProperty("--pinch", scale);
    for (const [i, side] of ["x", "y"].entries()) box.style.setProperty(`--pinch-${side}`, `${at[i]}px`);
  };
  const held = () => {
    const [one, other] = [...fingers.values()];
    const { left, top } = box.getBoundingClientRect();
    return {
      apart: Math.hypot(one[0] - other[0], one[1] - other[1]),
      middle: [(one[0] + other[0]) / 2 - left, (one[1] + other[1]) / 2 - top],
    };
  };
  box.addEventListener("pointerdown", (event) => {
    if (event.pointerType !== "touch") return;
    fingers.set(event.pointerId, [event.clientX, event.clientY]);
    // What the first finger had begun to carry is let go.
    if (fingers.size === 2) dispatchEvent(new PointerEvent("pointercancel", { pointerId: -1 }));
  });
  addEventListener("pointermove", (event) => {
    if (!fingers.has(event.pointerId)) return;
    const before = fingers.size === 2 ? held() : null;
    fingers.set(event.pointerId, [event.clientX, event.clientY]);
    if (!before) return;
    const after = held();
    const next = Math.min(MOST, Math.max(1, (scale * after.apart) / Math.max(1, before.apart)));
    at = [box.clientWidth, box.clientHeight].map((size, i) => {
      const wanted = after.middle[i] - ((before.middle[i] - at[i]) * next) / scale;
      return Math.min(0, Math.max(size * (1 - next), wanted));
    });
    scale = next;
    show();
  });
  for (const kind of ["pointerup", "pointercancel"]) {
    addEventListener(kind, (event) => fingers.delete(event.pointerId));
  }
  return () => {
    scale = 1;
    at = [0, 0];
    show();
  };
}
