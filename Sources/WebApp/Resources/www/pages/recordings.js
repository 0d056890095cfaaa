import { RecordingList } from "./recordings/recording-list.js";

/** `<echo-recordings-page>`: the recorder, and what was recorded or imported. */
export class RecordingsPage extends HTMLElement {
  connectedCallback() {
    this.replaceChildren(new RecordingList());
  }
}

customElements.define("echo-recordings-page", RecordingsPage);
