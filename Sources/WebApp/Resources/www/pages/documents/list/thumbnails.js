import { thumbnailAddress } from "../../../server/documents.js";
import { icon } from "../../../components/icon.js";
import { h } from "../../../core/dom.js";

/** @typedef {import("../../../server/documents.js").Document} Document */

/** How many pictures are kept; what was shown longest ago goes first. */
const most = 200;

/** The small pictures of documents; one that was shown is not asked for again when its row is built anew. */
export class Thumbnails {
  /** @type {Map<string, HTMLElement>} */
  #kept = new Map();

  /**
   * @param {Document} document
   * @returns {HTMLElement}
   */
  of({ id, hasPicture }) {
    const element = this.#kept.get(id) ?? pictureOf(id, hasPicture);
    this.#kept.delete(id);
    this.#kept.set(id, element);
    for (const old of this.#kept.keys()) {
      if (this.#kept.size <= most) break;
      this.#kept.delete(old);
    }
    return element;
  }
}

/**
 * @param {string} id
 * @param {boolean} hasPicture
 */
function pictureOf(id, hasPicture) {
  const place = h("span", { class: "document-picture", "aria-hidden": "true" }, icon("document"));
  if (!hasPicture) return place;
  const image = h("img", { src: thumbnailAddress(id), alt: "", decoding: "async" });
  image.addEventListener("load", () => place.replaceChildren(image));
  return place;
}
