import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { mayBeSound } from "../../Sources/WebApp/Resources/www/pages/recordings/sound-files.js";

describe("what may be sound", () => {
  test("is sound and video, and what nobody knows", () => {
    const files = [
      { type: "audio/mpeg", name: "a.mp3" },
      { type: "video/mp4", name: "a.mp4" },
      { type: "video/vnd.dlna.mpeg-tts", name: "a.ts" },
      { type: "", name: "take.amr" },
      { type: "", name: "take" },
      { type: "application/octet-stream", name: "a.caf" },
      { type: "application/ogg", name: "a.ogx" },
      { type: "application/vnd.rn-realmedia", name: "a.rm" },
      // A type that says sound is believed before a name.
      { type: "audio/x-scpls", name: "a.txt" },
      { type: "audio/wav" },
      { type: "" },
    ];
    for (const file of files) assert.ok(mayBeSound(file), JSON.stringify(file));
  });

  test("is no picture, document or font, whether the type or only the name says so", () => {
    const files = [
      { type: "image/png", name: "a.png" },
      { type: "image/svg+xml", name: "a" },
      { type: "image/heic" },
      { type: "", name: "IMG_0001.HEIC" },
      { type: "application/octet-stream", name: "scan.tiff" },
      { type: "text/plain", name: "a.txt" },
      { type: "text/vtt" },
      { type: "application/pdf" },
      { type: "application/epub+zip", name: "a.epub" },
      { type: "application/vnd.openxmlformats-officedocument.wordprocessingml.document", name: "a.docx" },
      { type: "", name: "a.md" },
      { type: "font/woff2", name: "a.woff2" },
    ];
    for (const file of files) assert.ok(!mayBeSound(file), JSON.stringify(file));
  });
});
