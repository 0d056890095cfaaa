import { setting } from "./store.js";

/** The settings that the page's style uses, with their defaults, as attribute names of the root. */
const looks = {
  theme: ["page.theme", "system"],
  readingFont: ["page.reading-font", "serif"],
  spacing: ["page.spacing", "normal"],
  highlight: ["page.highlight", "both"],
};

/** The settings that are lengths, as custom properties. */
const sizes = /** @type {const} */ ([
  ["page.text-size", "100", "--text-scale", (/** @type {number} */ percent) => String(percent / 100)],
  ["page.reading-size", "20", "--reading-size", (/** @type {number} */ pixels) => `${pixels / 16}rem`],
]);

const memory = "look";

/**
 * Applies the page's look settings to its root. The browser stores them too, since the first paint precedes the
 * server's answer; none is private.
 */
export function applyLook() {
  const root = document.documentElement;
  const before = remembered();
  /** @type {Record<string, string>} */
  const now = {};
  for (const [attribute, [name, standIn]] of Object.entries(looks)) {
    const value = (now[name] = setting(name, before[name] ?? standIn));
    root.dataset[attribute] = value;
  }
  for (const [name, standIn, property, style] of sizes) {
    const value = (now[name] = setting(name, before[name] ?? standIn));
    root.style.setProperty(property, style(Number(value) || Number(standIn)));
  }
  localStorage.setItem(memory, JSON.stringify(now));
  chooseFrame();
}

/** @returns {Record<string, string>} */
function remembered() {
  try {
    return JSON.parse(localStorage.getItem(memory) ?? "{}");
  } catch {
    // Stored by something else: the defaults will do for the first paint.
    return {};
  }
}

/** @param {AbortSignal} signal */
export function followWidth(signal) {
  addEventListener("resize", chooseFrame, { signal });
}

/**
 * Chooses the frame by how much text fits beside it, so that large text gets a narrow page's layout. In pixels at 16 px
 * text: from 1024 the wide frame, from 720 the rail. Below 300 text fills the whole width, and below 480 of height
 * little is left between the bars.
 */
function chooseFrame() {
  const root = document.documentElement;
  const size = Number.parseFloat(getComputedStyle(root).fontSize) || 16;
  // On phones, `innerWidth` includes content that overflows at that moment.
  const room = (root.clientWidth * 16) / size;
  root.dataset.frame = room >= 1_024 ? "wide" : room >= 720 ? "rail" : "narrow";
  root.toggleAttribute("data-tight", room < 300);
  root.toggleAttribute("data-short", (root.clientHeight * 16) / size < 480);
}
