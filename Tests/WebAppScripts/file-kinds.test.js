import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { kindOf, mayBeSound } from "../../Sources/WebApp/Resources/www/pages/documents/import-queue.js";

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

describe("what a file is", () => {
  /**
   * @param {string} start In Latin-1.
   * @param {string} [name]
   * @param {string} [type]
   */
  const kind = (start, name = "file", type = "") => kindOf(Uint8Array.from(start, (letter) => letter.charCodeAt(0)), { name, type });

  test("is what its first bytes say, whatever its name and its type say", () => {
    for (const start of ["RIFF\x24\0\0\0WAVEfmt ", "OggS\0", "fLaC\0", "ID3\x04\0", "\xff\xfb\x90\x64\0", "\xff\xf1\x50\x80", "\0\0\0\x20ftypM4A ", "\x1a\x45\xdf\xa3"]) {
      assert.equal(kind(start, "notes.txt", "text/plain"), "sound", start);
    }
    for (const start of ["%PDF-1.7\n", "junk\n%PDF-1.4", "PK\x03\x04\x14\0", "\x89PNG\r\n", "\xff\xd8\xff\xe0", "RIFF\x24\0\0\0WEBPVP8 ", "\0\0\0\x18ftypheic"]) {
      assert.equal(kind(start, "take.mp3", "audio/mpeg"), "document", start);
    }
    for (const start of ["Good morning.\r\n", "# Head\n", "\xff\xfea\0b\0", "\xef\xbb\xbfa", "\xd6\xf6sel oli vaikne.", "Good morning.\n\0\0\0", ""]) {
      assert.equal(kind(start, "take.mp3", "audio/mpeg"), "text", start);
    }
  });

  test("is a text that begins with the letters of a kind of sound", () => {
    for (const start of ["MAC addresses are long.", "FLV is a kind of file.", "ID3 tags", `G${"a".repeat(187)}G`]) {
      assert.equal(kind(start, "notes.txt", "text/plain"), "text", start);
    }
  });

  test("is what its type and name say where its bytes decide nothing", () => {
    assert.equal(kind("\x07\0\x01\x02", "take.amr"), "sound");
    assert.equal(kind("\x07\0\x01\x02", "take"), "sound");
    assert.equal(kind("a\0b", "notes.txt", "text/plain"), "document");
    assert.equal(kind("\0\0\0\0", "notes.txt", "text/plain"), "document");
    assert.equal(kind("\x07\0\x01\x02", "scan.psd"), "document");
  });
});
