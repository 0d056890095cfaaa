/** Paths on a 24 px grid, drawn with a stroke of 1.75 px; one beginning with `!` is filled. */
const paths = {
  "arrow-down": ["M12 5v14", "M6 13l6 6 6-6"],
  "arrow-up": ["M12 19V5", "M6 11l6-6 6 6"],
  back: ["M4 12a8 8 0 1 0 2.6-5.9", "M4 4v4.5h4.5"],
  bookmark: ["M7 4h10a1 1 0 0 1 1 1v15l-6-4-6 4V5a1 1 0 0 1 1-1z"],
  chapters: ["M4 6h10", "M4 12h16", "M4 18h7"],
  check: ["M5 12.5l4.5 4.5L19 7.5"],
  "chevron-down": ["M6 9.5l6 6 6-6"],
  "chevron-left": ["M14.5 6l-6 6 6 6"],
  "chevron-right": ["M9.5 6l6 6-6 6"],
  "chevron-up": ["M6 14.5l6-6 6 6"],
  close: ["M6 6l12 12", "M18 6L6 18"],
  copy: ["M9 9h10a1 1 0 0 1 1 1v9a1 1 0 0 1-1 1h-9a1 1 0 0 1-1-1z", "M5.500 15H5a1 1 0 0 1-1-1V5a1 1 0 0 1 1-1h9a1 1 0 0 1 1 1v.5"],
  document: ["M7 3.500h7l4.500 4.500v11.500a1 1 0 0 1-1 1h-10.500a1 1 0 0 1-1-1v-15a1 1 0 0 1 1-1z", "M14 3.500V8h4.500", "M9 13h6", "M9 16.500h6"],
  drag: ["!M9 7.200a1.200 1.200 0 1 0 0-.01z", "!M15 7.200a1.200 1.200 0 1 0 0-.01z", "!M9 13.200a1.200 1.200 0 1 0 0-.01z", "!M15 13.200a1.200 1.200 0 1 0 0-.01z", "!M9 19.200a1.200 1.200 0 1 0 0-.01z", "!M15 19.200a1.200 1.200 0 1 0 0-.01z"],
  edit: ["M4.500 19.500l.9-4L15.900 5a1.800 1.800 0 0 1 2.600 0l.5.500a1.800 1.800 0 0 1 0 2.600L8.500 18.600z", "M14 7l3 3"],
  error: ["M12 3.500a8.500 8.500 0 1 0 0 17 8.500 8.500 0 0 0 0-17z", "M12 8v5", "M12 16v.1"],
  expand: ["M14 4h6v6", "M20 4l-7 7", "M10 20H4v-6", "M4 20l7-7"],
  export: ["M12 4v11", "M7.500 11l4.500 4.500 4.500-4.500", "M5 19.500h14"],
  eye: ["M2.500 12S6 5.500 12 5.500 21.500 12 21.500 12 18 18.500 12 18.500 2.500 12 2.500 12z", "M12 9.200a2.800 2.800 0 1 0 0 5.600 2.800 2.800 0 0 0 0-5.600z"],
  "eye-off": ["M4 4l16 16", "M9.500 5.900A9.500 9.500 0 0 1 12 5.500c6 0 9.500 6.500 9.500 6.500a16 16 0 0 1-2.700 3.400", "M6.200 7.700A15.500 15.500 0 0 0 2.500 12S6 18.500 12 18.500a9.400 9.400 0 0 0 4.300-1"],
  filter: ["M4 7h16", "M7 12h10", "M10 17h4"],
  forward: ["M20 12a8 8 0 1 1-2.600-5.900", "M20 4v4.500h-4.500"],
  globe: ["M12 3.500a8.500 8.500 0 1 0 0 17 8.500 8.500 0 0 0 0-17z", "M3.500 12h17", "M12 3.500c2.500 2.300 3.700 5.100 3.700 8.500s-1.200 6.200-3.700 8.500c-2.500-2.300-3.700-5.100-3.700-8.500S9.500 5.800 12 3.500z"],
  heart: ["M12 19.800S4 15 4 9.300A4.300 4.300 0 0 1 12 7a4.300 4.300 0 0 1 8 2.300c0 5.700-8 10.500-8 10.500z"],
  "heart-filled": ["!M12 19.800S4 15 4 9.300A4.300 4.300 0 0 1 12 7a4.300 4.300 0 0 1 8 2.300c0 5.700-8 10.500-8 10.500z"],
  history: ["M4 12a8 8 0 1 0 2.600-5.900", "M4 4v4.500h4.500", "M12 8v4.500l3 1.800"],
  info: ["M12 3.500a8.500 8.500 0 1 0 0 17 8.500 8.500 0 0 0 0-17z", "M12 11v5", "M12 8v.1"],
  key: ["M8.500 11a4 4 0 1 0 0 8 4 4 0 0 0 0-8z", "M11.500 12.500l8-8", "M16 8l2.500 2.500"],
  keyboard: ["M4 6.500h16a1 1 0 0 1 1 1v9a1 1 0 0 1-1 1H4a1 1 0 0 1-1-1v-9a1 1 0 0 1 1-1z", "M7 10v.1", "M10.300 10v.1", "M13.700 10v.1", "M17 10v.1", "M8 14h8"],
  library: ["M4 7v10", "M8 4.500v15", "M12 8.500v7", "M16 5.500v13", "M20 9.500v5"],
  lock: ["M6.500 11h11a1 1 0 0 1 1 1v7a1 1 0 0 1-1 1h-11a1 1 0 0 1-1-1v-7a1 1 0 0 1 1-1z", "M8.500 11V8a3.500 3.500 0 0 1 7 0v3"],
  minus: ["M5.500 12h13"],
  moon: ["M19.500 14.200A8 8 0 0 1 9.800 4.500a8 8 0 1 0 9.700 9.700z"],
  more: ["!M5.500 13.400a1.400 1.400 0 1 0 0-.01z", "!M12 13.400a1.400 1.400 0 1 0 0-.01z", "!M18.500 13.400a1.400 1.400 0 1 0 0-.01z"],
  mute: ["M4 9.500h3.500L12 5.500v13l-4.500-4H4z", "M16 9.500l5 5", "M21 9.500l-5 5"],
  next: ["!M6 6.200v11.600a.8.8 0 0 0 1.250.66l8.300-5.800a.8.8 0 0 0 0-1.320l-8.300-5.800A.8.8 0 0 0 6 6.200z", "M18 6v12"],
  pause: ["!M7.500 5.500h2a.8.8 0 0 1 .8.8v11.400a.8.8 0 0 1-.8.8h-2a.8.8 0 0 1-.8-.8V6.300a.8.8 0 0 1 .8-.8z", "!M14.500 5.500h2a.8.8 0 0 1 .8.8v11.400a.8.8 0 0 1-.8.8h-2a.8.8 0 0 1-.8-.8V6.300a.8.8 0 0 1 .8-.8z"],
  pitch: ["M3 15c1.500 0 2-6 4-6s2.500 9 4.500 9S14.500 5 16.500 5s2.500 7 4.500 7"],
  play: ["!M7.500 5.600v12.800a.9.9 0 0 0 1.370.77l10.400-6.400a.9.9 0 0 0 0-1.540l-10.400-6.400a.9.9 0 0 0-1.370.77z"],
  plus: ["M12 5.500v13", "M5.500 12h13"],
  previous: ["!M18 6.200v11.600a.8.8 0 0 1-1.250.66l-8.300-5.800a.8.8 0 0 1 0-1.320l8.300-5.800A.8.8 0 0 1 18 6.200z", "M6 6v12"],
  profile: ["M12 4.500a3.750 3.750 0 1 0 0 7.500 3.750 3.750 0 0 0 0-7.500z", "M5 20c.6-3.600 3.400-5.500 7-5.500s6.400 1.900 7 5.500"],
  queue: ["M4 6h16", "M4 11h9", "M4 16h9", "!M16 12.800v6.400a.6.6 0 0 0 .92.5l4.800-3.200a.6.6 0 0 0 0-1l-4.800-3.200a.6.6 0 0 0-.92.5z"],
  reuse: ["M4.500 9.500h11a4 4 0 0 1 0 8H12", "M8 5.500l-4 4 4 4"],
  search: ["M10.500 4.500a6 6 0 1 0 0 12 6 6 0 0 0 0-12z", "M15 15l5 5"],
  select: ["M6 4.500h12a1.500 1.500 0 0 1 1.500 1.500v12a1.500 1.500 0 0 1-1.500 1.500H6A1.500 1.500 0 0 1 4.500 18V6A1.500 1.500 0 0 1 6 4.500z", "M8.500 12.300l2.500 2.500 4.700-5.300"],
  settings: ["M4 7h9", "M17 7h3", "M15 5a2 2 0 1 0 0 4 2 2 0 0 0 0-4z", "M4 17h3", "M11 17h9", "M9 15a2 2 0 1 0 0 4 2 2 0 0 0 0-4z"],
  share: ["M12 15V4", "M8 7.500l4-4 4 4", "M6.500 11H6a1 1 0 0 0-1 1v7a1 1 0 0 0 1 1h12a1 1 0 0 0 1-1v-7a1 1 0 0 0-1-1h-.5"],
  sort: ["M8 5v14", "M4.500 15.500L8 19l3.500-3.500", "M16 19V5", "M12.500 8.500L16 5l3.500 3.500"],
  speak: ["M9 4.500c1.700 0 3 .7 3 2v11c0 1.300-1.300 2-3 2", "M15 4.500c-1.700 0-3 .7-3 2v11c0 1.300 1.300 2 3 2", "M4.500 9v6", "M19.500 9v6"],
  speed: ["M4.700 17a8.500 8.500 0 1 1 14.600 0", "M12 14l4-5"],
  stop: ["!M7.300 6h9.400a1.300 1.300 0 0 1 1.300 1.300v9.400a1.300 1.300 0 0 1-1.300 1.300H7.300A1.300 1.300 0 0 1 6 16.700V7.300A1.300 1.300 0 0 1 7.300 6z"],
  text: ["M5 6h14", "M5 10h14", "M5 14h14", "M5 18h8"],
  trash: ["M4.500 7h15", "M9.500 7V4.500h5V7", "M6.500 7l.8 12a1 1 0 0 0 1 1h7.400a1 1 0 0 0 1-1l.8-12", "M10 11v5", "M14 11v5"],
  undo: ["M8 5L4 9l4 4", "M4 9h10.500a5 5 0 0 1 0 10H9"],
  voice: ["M12 3.500a3 3 0 0 0-3 3v5a3 3 0 0 0 6 0v-5a3 3 0 0 0-3-3z", "M5.500 11.500a6.500 6.500 0 0 0 13 0", "M12 18v2.500"],
  volume: ["M4 9.500h3.500L12 5.500v13l-4.500-4H4z", "M15.500 9a4.200 4.200 0 0 1 0 6", "M18 6.500a7.800 7.800 0 0 1 0 11"],
  warning: ["M12 4.500l8.500 14.500h-17z", "M12 10v4", "M12 16.500v.1"],
};

/** @typedef {keyof typeof paths} IconName */

const namespace = "http://www.w3.org/2000/svg";

/**
 * A drawing that says nothing by itself: the words are on what holds it.
 *
 * @param {IconName} name
 * @param {{ className?: string }} options
 * @returns {SVGSVGElement}
 */
export function icon(name, { className } = {}) {
  const picture = document.createElementNS(namespace, "svg");
  picture.setAttribute("viewBox", "0 0 24 24");
  picture.setAttribute("class", className === undefined ? "icon" : `icon ${className}`);
  picture.setAttribute("aria-hidden", "true");
  picture.dataset.icon = name;
  for (const path of paths[name]) picture.append(stroke(path));
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
 * Changes what an icon shows.
 *
 * @param {Element} holder What has the icon as a child.
 * @param {IconName} name
 */
export function setIcon(holder, name) {
  const present = holder.querySelector("svg.icon");
  if (!(present instanceof SVGElement) || present.dataset.icon === name) return;
  present.replaceWith(icon(name, { className: (present.getAttribute("class") ?? "").replace(/^icon ?/, "") }));
}

/** EchoText's sign: a text cursor with two echo arcs. */
export function logo() {
  const picture = document.createElementNS(namespace, "svg");
  picture.setAttribute("viewBox", "0 0 24 24");
  picture.setAttribute("class", "icon logo");
  picture.setAttribute("aria-hidden", "true");
  const cursor = "M4 4.500c2 0 3.200.6 3.200 1.900v11.200c0 1.300-1.200 1.900-3.200 1.900M10.400 4.500c-2 0-3.200.6-3.200 1.900M7.200 17.600c0 1.300 1.200 1.900 3.200 1.900";
  for (const path of [cursor, "M13 8.500a5 5 0 0 1 0 7", "M16.500 5.500a9.200 9.200 0 0 1 0 13"]) picture.append(stroke(path));
  return picture;
}
