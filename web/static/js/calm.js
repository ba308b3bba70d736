// Whether this device wants nothing to move.

export const isCalm = () =>
  document.documentElement.dataset.calm === "yes" || matchMedia("(prefers-reduced-motion: reduce)").matches;
