/**
 * Reads a WAV file of 16-bit mono without an audio context, which can only be made after a press.
 *
 * @param {ArrayBuffer} bytes
 * @returns {{ sampleRate: number, samples: Float32Array }}
 */
export function readWave(bytes) {
  const view = new DataView(bytes);
  const word = (/** @type {number} */ at) => String.fromCharCode(...new Uint8Array(bytes, at, 4));
  if (bytes.byteLength < 44 || word(0) !== "RIFF" || word(8) !== "WAVE") throw new Error("no WAV file");
  let sampleRate = 0;
  for (let at = 12; at + 8 <= bytes.byteLength; ) {
    const [name, size] = [word(at), view.getUint32(at + 4, true)];
    if (name === "fmt ") {
      if (view.getUint16(at + 10, true) !== 1 || view.getUint16(at + 22, true) !== 16) throw new Error("no 16-bit mono");
      sampleRate = view.getUint32(at + 12, true);
    }
    // A streamed file may not know its length.
    if (name === "data") return { sampleRate, samples: samplesOf(view, at + 8, Math.min(size, bytes.byteLength - at - 8)) };
    at += 8 + size + (size % 2);
  }
  throw new Error("a WAV file without sound");
}

/**
 * @param {DataView} view
 * @param {number} from
 * @param {number} size Bytes.
 */
function samplesOf(view, from, size) {
  const samples = new Float32Array(Math.floor(size / 2));
  for (let index = 0; index < samples.length; index += 1) samples[index] = view.getInt16(from + 2 * index, true) / 32_768;
  return samples;
}

/**
 * The same as a playable buffer; some silence when there is no sound, since a buffer cannot be empty.
 *
 * @param {ArrayBuffer} bytes
 * @returns {AudioBuffer}
 */
export function soundOf(bytes) {
  const { sampleRate, samples } = readWave(bytes);
  const sound = new AudioBuffer({ length: Math.max(1, samples.length), sampleRate, numberOfChannels: 1 });
  sound.copyToChannel(samples, 0);
  return sound;
}
