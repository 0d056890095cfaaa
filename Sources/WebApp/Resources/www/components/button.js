import { h } from "../core/dom.js";

const circle = "M12 3.5a8.5 8.5 0 1 0 0 17 8.5 8.5 0 0 0 0-17z";
const heart = "M12 19.8S4 15 4 9.3A4.3 4.3 0 0 1 12 7a4.3 4.3 0 0 1 8 2.3c0 5.7-8 10.5-8 10.5z";
const speaker = "M4 9.5h3.5L12 5.5v13l-4.5-4H4z";

/** Paths on a 24 px grid, 1.75 px wide; those with `!` are filled. */
const paths = {
  again: ["M19.5 12a7.5 7.5 0 0 1-13.1 5", "M4.5 12a7.5 7.5 0 0 1 13.1-5", "M18 3v4.2h-4.2", "M6 21v-4.2h4.2"],
  "arrow-down": ["M12 5v14", "M6 13l6 6 6-6"],
  "arrow-up": ["M12 19V5", "M6 11l6-6 6 6"],
  back: ["M4 12a8 8 0 1 0 2.6-5.9", "M4 4v4.5h4.5"],
  chapters: ["M4 6h10", "M4 12h16", "M4 18h7"],
  check: ["M5 12.5l4.5 4.5L19 7.5"],
  "chevron-down": ["M6 9.5l6 6 6-6"],
  "chevron-left": ["M14.5 6l-6 6 6 6"],
  "chevron-right": ["M9.5 6l6 6-6 6"],
  "chevron-up": ["M6 14.5l6-6 6 6"],
  close: ["M6 6l12 12", "M18 6L6 18"],
  copy: ["M9 9h10a1 1 0 0 1 1 1v9a1 1 0 0 1-1 1h-9a1 1 0 0 1-1-1z", "M5.5 15H5a1 1 0 0 1-1-1V5a1 1 0 0 1 1-1h9a1 1 0 0 1 1 1v.5"],
  document: ["M7 3.5h7l4.5 4.5v11.5a1 1 0 0 1-1 1h-10.5a1 1 0 0 1-1-1v-15a1 1 0 0 1 1-1z", "M14 3.5V8h4.5", "M9 13h6", "M9 16.5h6"],
  drag: ["!M9 7.2a1.2 1.2 0 1 0 0-.01z", "!M15 7.2a1.2 1.2 0 1 0 0-.01z", "!M9 13.2a1.2 1.2 0 1 0 0-.01z", "!M15 13.2a1.2 1.2 0 1 0 0-.01z", "!M9 19.2a1.2 1.2 0 1 0 0-.01z", "!M15 19.2a1.2 1.2 0 1 0 0-.01z"],
  edit: ["M4.5 19.5l.9-4L15.9 5a1.8 1.8 0 0 1 2.6 0l.5.5a1.8 1.8 0 0 1 0 2.6L8.5 18.6z", "M14 7l3 3"],
  error: [circle, "M12 8v5", "M12 16v.1"],
  expand: ["M14 4h6v6", "M20 4l-7 7", "M10 20H4v-6", "M4 20l7-7"],
  export: ["M12 4v11", "M7.5 11l4.5 4.5 4.5-4.5", "M5 19.5h14"],
  eye: ["M2.5 12S6 5.5 12 5.5 21.5 12 21.5 12 18 18.5 12 18.5 2.5 12 2.5 12z", "M12 9.2a2.8 2.8 0 1 0 0 5.6 2.8 2.8 0 0 0 0-5.6z"],
  "eye-off": ["M4 4l16 16", "M9.5 5.9A9.5 9.5 0 0 1 12 5.5c6 0 9.5 6.5 9.5 6.5a16 16 0 0 1-2.7 3.4", "M6.2 7.7A15.5 15.5 0 0 0 2.5 12S6 18.5 12 18.5a9.4 9.4 0 0 0 4.3-1"],
  filter: ["M4 7h16", "M7 12h10", "M10 17h4"],
  flag: ["M6 21V4c4-2 7 2 12 0v9c-5 2-8-2-12 0"],
  forward: ["M20 12a8 8 0 1 1-2.6-5.9", "M20 4v4.5h-4.5"],
  heart: [heart],
  "heart-filled": [`!${heart}`],
  history: [circle, "M12 7.5V12l3.2 2"],
  info: [circle, "M12 11v5", "M12 8v.1"],
  join: ["M4 12h16", "M12 3.5V9", "M9 6l3 3 3-3", "M12 20.5V15", "M9 18l3-3 3 3"],
  key: ["M8.5 11a4 4 0 1 0 0 8 4 4 0 0 0 0-8z", "M11.5 12.5l8-8", "M16 8l2.5 2.5"],
  library: ["M4 7v10", "M8 4.5v15", "M12 8.5v7", "M16 5.5v13", "M20 9.5v5"],
  lock: ["M6.5 11h11a1 1 0 0 1 1 1v7a1 1 0 0 1-1 1h-11a1 1 0 0 1-1-1v-7a1 1 0 0 1 1-1z", "M8.5 11V8a3.5 3.5 0 0 1 7 0v3"],
  microphone: ["M12 3.5a3 3 0 0 0-3 3v5a3 3 0 0 0 6 0v-5a3 3 0 0 0-3-3z", "M5.5 11.5a6.5 6.5 0 0 0 13 0", "M12 18v2.5"],
  minus: ["M5.5 12h13"],
  moon: ["M19.5 14.2A8 8 0 0 1 9.8 4.5a8 8 0 1 0 9.7 9.7z"],
  more: ["!M5.5 13.4a1.4 1.4 0 1 0 0-.01z", "!M12 13.4a1.4 1.4 0 1 0 0-.01z", "!M18.5 13.4a1.4 1.4 0 1 0 0-.01z"],
  mute: [speaker, "M16 9.5l5 5", "M21 9.5l-5 5"],
  next: ["!M6 6.2v11.6a.8.8 0 0 0 1.25.66l8.3-5.8a.8.8 0 0 0 0-1.32l-8.3-5.8A.8.8 0 0 0 6 6.2z", "M18 6v12"],
  pause: ["!M7.5 5.5h2a.8.8 0 0 1 .8.8v11.4a.8.8 0 0 1-.8.8h-2a.8.8 0 0 1-.8-.8V6.3a.8.8 0 0 1 .8-.8z", "!M14.5 5.5h2a.8.8 0 0 1 .8.8v11.4a.8.8 0 0 1-.8.8h-2a.8.8 0 0 1-.8-.8V6.3a.8.8 0 0 1 .8-.8z"],
  pitch: ["M3 15c1.5 0 2-6 4-6s2.5 9 4.5 9S14.5 5 16.5 5s2.5 7 4.5 7"],
  play: ["!M7.5 5.6v12.8a.9.9 0 0 0 1.37.77l10.4-6.4a.9.9 0 0 0 0-1.54l-10.4-6.4a.9.9 0 0 0-1.37.77z"],
  plus: ["M12 5.5v13", "M5.5 12h13"],
  practice: ["M4.5 4h9a1 1 0 0 1 1 1v5a1 1 0 0 1-1 1H8.2L5.5 13.5V11h-1a1 1 0 0 1-1-1V5a1 1 0 0 1 1-1z", "M17.5 9h2a1 1 0 0 1 1 1v5.5a1 1 0 0 1-1 1h-1V19l-2.7-2.5h-5.3a1 1 0 0 1-1-1V14"],
  previous: ["!M18 6.2v11.6a.8.8 0 0 1-1.25.66l-8.3-5.8a.8.8 0 0 1 0-1.32l8.3-5.8A.8.8 0 0 1 18 6.2z", "M6 6v12"],
  profile: ["M12 4.5a3.75 3.75 0 1 0 0 7.5 3.75 3.75 0 0 0 0-7.5z", "M5 20c.6-3.6 3.4-5.5 7-5.5s6.4 1.9 7 5.5"],
  queue: ["M4 6h16", "M4 11h9", "M4 16h9", "!M16 12.8v6.4a.6.6 0 0 0 .92.5l4.8-3.2a.6.6 0 0 0 0-1l-4.8-3.2a.6.6 0 0 0-.92.5z"],
  record: [circle, "!M12 8a4 4 0 1 0 0 8 4 4 0 0 0 0-8z"],
  resume: ["M5.5 6v12", "!M10 6.2v11.6a.8.8 0 0 0 1.25.66l8.3-5.8a.8.8 0 0 0 0-1.32l-8.3-5.8A.8.8 0 0 0 10 6.2z"],
  reuse: ["M4 5.5h16", "M4 10.5h8", "M4 15.5h4.5", "M11.5 19.5l.6-2.7 6.3-6.3a1.5 1.5 0 0 1 2.1 2.1l-6.3 6.3z"],
  search: ["M10.5 4.5a6 6 0 1 0 0 12 6 6 0 0 0 0-12z", "M15 15l5 5"],
  select: ["M6 4.5h12a1.5 1.5 0 0 1 1.5 1.5v12a1.5 1.5 0 0 1-1.5 1.5H6A1.5 1.5 0 0 1 4.5 18V6A1.5 1.5 0 0 1 6 4.5z", "M8.5 12.3l2.5 2.5 4.7-5.3"],
  settings: ["M4 7h9", "M17 7h3", "M15 5a2 2 0 1 0 0 4 2 2 0 0 0 0-4z", "M4 17h3", "M11 17h9", "M9 15a2 2 0 1 0 0 4 2 2 0 0 0 0-4z"],
  share: ["M12 15V4", "M8 7.5l4-4 4 4", "M6.5 11H6a1 1 0 0 0-1 1v7a1 1 0 0 0 1 1h12a1 1 0 0 0 1-1v-7a1 1 0 0 0-1-1h-.5"],
  sort: ["M8 5v14", "M4.5 15.5L8 19l3.5-3.5", "M16 19V5", "M12.5 8.5L16 5l3.5 3.5"],
  speak: ["M9 4.5c1.7 0 3 .7 3 2v11c0 1.3-1.3 2-3 2", "M15 4.5c-1.7 0-3 .7-3 2v11c0 1.3 1.3 2 3 2", "M4.5 9v6", "M19.5 9v6"],
  split: ["M4 12h16", "M12 9V3.5", "M9 6.5l3-3 3 3", "M12 15v5.5", "M9 17.5l3 3 3-3"],
  speed: ["M4.7 17a8.5 8.5 0 1 1 14.6 0", "M12 14l4-5"],
  stop: ["!M7.3 6h9.4a1.3 1.3 0 0 1 1.3 1.3v9.4a1.3 1.3 0 0 1-1.3 1.3H7.3A1.3 1.3 0 0 1 6 16.7V7.3A1.3 1.3 0 0 1 7.3 6z"],
  text: ["M5 6h14", "M5 10h14", "M5 14h14", "M5 18h8"],
  tool: ["M19.5 7.5l-3 3-3-3 3-3a5 5 0 0 0-6.4 6.4l-6 6a2 2 0 0 0 3 3l6-6a5 5 0 0 0 6.4-6.4z"],
  trash: ["M4.5 7h15", "M9.5 7V4.5h5V7", "M6.5 7l.8 12a1 1 0 0 0 1 1h7.4a1 1 0 0 0 1-1l.8-12", "M10 11v5", "M14 11v5"],
  undo: ["M8 5L4 9l4 4", "M4 9h10.5a5 5 0 0 1 0 10H9"],
  voice: ["M9 5a3.3 3.3 0 1 0 0 6.6A3.3 3.3 0 0 0 9 5z", "M3 19.5c.5-3.2 2.8-5 6-5s5.5 1.8 6 5", "M15.8 6a4.2 4.2 0 0 1 0 5", "M18.5 4a7.5 7.5 0 0 1 0 9"],
  volume: [speaker, "M15.5 9a4.2 4.2 0 0 1 0 6", "M18 6.5a7.8 7.8 0 0 1 0 11"],
  warning: ["M12 4.5l8.5 14.5h-17z", "M12 10v4", "M12 16.5v.1"],
};

/** @typedef {keyof typeof paths} IconName */

const namespace = "http://www.w3.org/2000/svg";

/**
 * An icon, hidden from screen readers.
 *
 * @param {IconName} name
 * @param {{ className?: string }} options
 * @returns {SVGSVGElement}
 */
export function icon(name, { className } = {}) {
  const picture = drawn(paths[name], className === undefined ? "icon" : `icon ${className}`);
  picture.dataset.icon = name;
  return picture;
}

/**
 * @param {readonly string[]} strokes
 * @param {string} className
 */
function drawn(strokes, className) {
  const picture = document.createElementNS(namespace, "svg");
  picture.setAttribute("viewBox", "0 0 24 24");
  picture.setAttribute("class", className);
  picture.setAttribute("aria-hidden", "true");
  picture.append(...strokes.map(stroke));
  return picture;
}

/** @param {string} path */
function stroke(path) {
  const line = document.createElementNS(namespace, "path");
  if (path.startsWith("!")) line.setAttribute("class", "filled");
  line.setAttribute("d", path.replace(/^!/, ""));
  return line;
}

/**
 * Changes an icon.
 *
 * @param {Element} holder
 * @param {IconName} name
 */
export function setIcon(holder, name) {
  const present = holder.querySelector("svg.icon");
  if (!(present instanceof SVGElement) || present.dataset.icon === name) return;
  present.replaceWith(icon(name, { className: (present.getAttribute("class") ?? "").replace(/^icon ?/, "") }));
}

/** A text cursor with two echo arcs. */
export function logo() {
  const cursor = "M4 4.5c2 0 3.2.6 3.2 1.9v11.2c0 1.3-1.2 1.9-3.2 1.9M10.4 4.5c-2 0-3.2.6-3.2 1.9M7.2 17.6c0 1.3 1.2 1.9 3.2 1.9";
  return drawn([cursor, "M13 8.5a5 5 0 0 1 0 7", "M16.5 5.5a9.2 9.2 0 0 1 0 13"], "icon logo");
}

/**
 * @typedef {object} ButtonOptions
 * @property {string} label The text; on an icon-only button, its name and tooltip.
 * @property {IconName} [icon]
 * @property {"plain" | "primary" | "quiet" | "danger"} [look] `primary`: a view's main action. Default: `plain`.
 * @property {boolean} [iconOnly]
 * @property {boolean} [opens] Whether it opens a menu or a sheet.
 * @property {string} [className]
 * @property {(event: MouseEvent) => void} [onPress]
 */

/**
 * A button of at least 44 px.
 *
 * @param {ButtonOptions} options
 * @returns {HTMLButtonElement}
 */
export function button({ label, icon: name, look = "plain", iconOnly = false, opens = false, className, onPress }) {
  const classes = ["button", look, iconOnly ? "icon-only" : "", className ?? ""].filter(Boolean).join(" ");
  return h(
    "button",
    {
      type: "button",
      class: classes,
      "aria-label": iconOnly ? label : null,
      title: iconOnly ? label : null,
      "aria-haspopup": opens ? "dialog" : null,
      onclick: onPress,
    },
    name === undefined ? null : icon(name),
    iconOnly ? null : h("span", { class: "button-label" }, label),
  );
}
