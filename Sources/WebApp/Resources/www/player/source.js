/**
 * What a source of sound tells the player.
 *
 * @typedef {object} SourceListener
 * @property {() => void} changed It plays, rests or waits now.
 * @property {() => void} ended All has been heard.
 * @property {(error: unknown) => void} failed It cannot go on by itself.
 */

/**
 * Something the player can play; made paused.
 *
 * @typedef {object} Source
 * @property {number} time Seconds from the start of the whole.
 * @property {number | null} duration Seconds of what there is; `null` while unknown.
 * @property {boolean} isPlaying Whether it is meant to sound.
 * @property {boolean} isWaiting Whether it would sound but has nothing yet.
 * @property {() => Promise<void>} play Throws when the browser wants a press first.
 * @property {() => void} pause
 * @property {(seconds: number) => void} seek
 * @property {(rate: number) => void} setRate
 * @property {(isMuted: boolean) => void} setMuted
 * @property {() => void} close It is silent afterwards and tells nothing any more.
 */

export {};
