/** Resampling for the audio thread; it uses neither the document nor an audio context. */

/**
 * The filter's zero crossings on each side, table steps between two of them, and the ratio of its bandwidth to the
 * sound's. With these, attenuation reaches 80 dB at the band's edge, and the passband is flat up to nine tenths of it.
 */
const crossings = 48;
const steps = 512;
const width = 0.945;

/**
 * A side of a sinc under a Kaiser window with side lobes at −80 dB, and zeros beyond its end.
 *
 * @see Oppenheim and Schafer, Discrete-Time Signal Processing, section 7.5.3.
 */
const kernel = Float64Array.from({ length: (crossings + 1) * steps + 2 }, (_, place) => {
  const time = place / steps;
  if (time >= crossings) return 0;
  const sinc = time === 0 ? 1 : Math.sin(Math.PI * time) / (Math.PI * time);
  return (sinc * bessel(7.86 * Math.sqrt(1 - (time / crossings) ** 2))) / bessel(7.86);
});

/**
 * The modified Bessel function of the first kind, of order 0.
 *
 * @param {number} value
 */
function bessel(value) {
  let term = 1;
  let sum = 1;
  for (let n = 1; term > sum * 1e-12; n += 1) {
    term *= (value / (2 * n)) ** 2;
    sum += term;
  }
  return sum;
}

/** Resamples sound that arrives in pieces; nothing is lost or duplicated between them. */
export class Resampler {
  #ratio;
  /** The ratio of the filter's bandwidth to half the sound's rate. */
  #scale;
  /** Input samples per output sample, on each side. */
  #reach;
  #kept = new Float32Array(0);
  /** The number of samples before the buffered ones; some samples of silence precede all. */
  #dropped = 0;
  #made = 0;

  /**
   * @param {number} from In hertz.
   * @param {number} to In hertz.
   */
  constructor(from, to) {
    this.#ratio = from / to;
    this.#scale = Math.min(1, to / from) * width;
    this.#reach = Math.ceil(crossings / this.#scale);
    this.#begin();
  }

  #begin() {
    this.#kept = new Float32Array(this.#reach);
    this.#dropped = -this.#reach;
    this.#made = 0;
  }

  /**
   * @param {Float32Array} samples
   * @returns {Float32Array} The output available so far.
   */
  push(samples) {
    const all = new Float32Array(this.#kept.length + samples.length);
    all.set(this.#kept);
    all.set(samples, this.#kept.length);
    const end = this.#dropped + all.length - this.#reach;
    const count = Math.max(0, Math.ceil(end / this.#ratio) - this.#made);
    const output = new Float32Array(count);
    for (let place = 0; place < count; place += 1) {
      output[place] = this.#sample(all, (this.#made + place) * this.#ratio - this.#dropped);
    }
    this.#made += count;
    const unneeded = Math.max(0, Math.floor(this.#made * this.#ratio) - this.#reach - this.#dropped);
    this.#kept = all.slice(unneeded);
    this.#dropped += Math.min(unneeded, all.length);
    return output;
  }

  /** The rest of the sound; samples after that are a new sound. */
  finish() {
    const last = this.push(new Float32Array(this.#reach));
    this.#begin();
    return last;
  }

  /**
   * @param {Float32Array} samples
   * @param {number} place
   */
  #sample(samples, place) {
    const first = Math.max(0, Math.ceil(place - this.#reach));
    const last = Math.min(samples.length - 1, Math.floor(place + this.#reach));
    const scale = this.#scale * steps;
    let sum = 0;
    for (let one = first; one <= last; one += 1) {
      const time = Math.abs(place - one) * scale;
      const step = Math.floor(time);
      const here = kernel[step];
      sum += samples[one] * (here + (kernel[step + 1] - here) * (time - step));
    }
    return sum * this.#scale;
  }
}
