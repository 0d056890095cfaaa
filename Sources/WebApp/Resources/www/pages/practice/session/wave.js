/**
 * Reads a WAV file of 16-bit mono, without a context of sound: these are not made before somebody presses something.
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
    // A file that was streamed may not know how long it is.
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
 * The same as sound that can be played; some silence when there is none, since there is no empty sound.
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
