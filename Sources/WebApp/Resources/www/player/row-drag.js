/**
 * Drags a row with the pointer; the others make room. Esc cancels.
 *
 * @param {HTMLElement} row
 * @param {HTMLElement} list
 * @param {PointerEvent} begin
 * @param {(position: number | null) => void} ended Called with the row's new place; with `null` if it is unchanged.
 */
export function dragRow(row, list, begin, ended) {
  const life = new AbortController();
  const { signal } = life;
  const rows = /** @type {HTMLElement[]} */ ([...list.querySelectorAll("li[data-id]")]);
  const from = rows.indexOf(row);
  const height = row.offsetHeight;
  let to = from;
  row.classList.add("carried");
  list.setPointerCapture(begin.pointerId);

  const end = (/** @type {boolean} */ isDropped) => {
    life.abort();
    for (const one of rows) one.style.removeProperty("transform");
    row.classList.remove("carried");
    ended(isDropped && to !== from ? to : null);
  };
  list.addEventListener("pointermove", (event) => {
    const by = event.clientY - begin.clientY;
    to = Math.max(0, Math.min(rows.length - 1, from + Math.round(by / height)));
    row.style.setProperty("transform", `translateY(${by}px)`);
    rows.forEach((one, index) => {
      if (one === row) return;
      const shift = index > from && index <= to ? -height : index < from && index >= to ? height : 0;
      one.style.setProperty("transform", `translateY(${shift}px)`);
    });
  }, { signal });
  list.addEventListener("pointerup", () => end(true), { signal });
  list.addEventListener("pointercancel", () => end(false), { signal });
  addEventListener("keydown", (event) => {
    if (event.key !== "Escape") return;
    event.preventDefault();
    event.stopPropagation();
    end(false);
  }, { signal, capture: true });
}
