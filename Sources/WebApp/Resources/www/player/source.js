/**
 * The callbacks of a source of sound to the player.
 *
 * @typedef {object} SourceListener
 * @property {() => void} changed It plays, rests or waits now.
 * @property {() => void} ended All has been heard.
 * @property {(error: unknown) => void} failed It cannot continue by itself.
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
 * @property {() => void} close Afterwards it is silent and calls nothing any more.
 */

export {};
