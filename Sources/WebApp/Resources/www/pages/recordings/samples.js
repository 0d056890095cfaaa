/** The levels and the files of recorded sound; it uses neither the document nor an audio context. */

/** The lowest level that a meter shows, in decibels below full scale. */
export const quietest = 60;

/**
 * The fraction of a meter that a level fills, from 0 to 1; linear in decibels.
 *
 * @param {number} value From 0 to 1.
 */
export function part(value) {
  return value <= 0 ? 0 : Math.max(0, Math.min(1, 1 + (20 * Math.log10(value)) / quietest));
}

/**
 * A WAV file of 16-bit mono.
 *
 * @param {readonly ArrayBuffer[]} chunks
 * @param {number} sampleRate In hertz.
 * @param {{ name: string, content: Uint8Array }} [note] A part before the sound, which other programs skip; its name has
 *   four letters.
 * @returns {Blob}
 */
export function waveFile(chunks, sampleRate, note) {
  const length = chunks.reduce((sum, chunk) => sum + chunk.byteLength, 0);
  // Each part has an even length.
  const noteLength = note === undefined ? 0 : 8 + note.content.length + (note.content.length % 2);
  const header = new DataView(new ArrayBuffer(44 + noteLength));
  const word = (/** @type {number} */ place, /** @type {string} */ text) =>
    [...text].forEach((letter, index) => header.setUint8(place + index, letter.charCodeAt(0)));
  word(0, "RIFF");
  header.setUint32(4, 36 + noteLength + length, true);
  word(8, "WAVEfmt ");
  header.setUint32(16, 16, true);
  header.setUint16(20, 1, true); // PCM
  header.setUint16(22, 1, true); // channels
  header.setUint32(24, sampleRate, true);
  header.setUint32(28, 2 * sampleRate, true); // bytes per second
  header.setUint16(32, 2, true); // bytes per frame
  header.setUint16(34, 16, true); // bits per sample
  if (note !== undefined) {
    word(36, note.name);
    header.setUint32(40, note.content.length, true);
    new Uint8Array(header.buffer).set(note.content, 44);
  }
  word(36 + noteLength, "data");
  header.setUint32(40 + noteLength, length, true);
  return new Blob([header, ...chunks], { type: "audio/wav" });
}

/** How many bytes of sound are compared at once. */
const compared = 4_000_000;

/**
 * Whether sound is the last of a session.
 *
 * @param {Blob} sound
 * @param {{ id: string, samples: number }} session
 * @param {typeof import("../../server/recordings.js").loadSessionSound} load
 */
export async function isEndOf(sound, { id, samples }, load) {
  const first = 2 * samples - sound.size;
  if (first < 0) return false;
  for (let place = 0; place < sound.size; place += compared) {
    const piece = sound.slice(place, place + compared);
    const here = new Uint8Array(await piece.arrayBuffer());
    const there = new Uint8Array(await load(id, first + place, piece.size));
    if (here.length !== there.length || here.some((byte, index) => byte !== there[index])) return false;
  }
  return true;
}
