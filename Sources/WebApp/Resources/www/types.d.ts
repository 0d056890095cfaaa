/** Browser APIs that the type checker's library lacks. */

declare class Highlight {
  constructor(...ranges: AbstractRange[]);
  priority: number;
  add(range: AbstractRange): this;
  delete(range: AbstractRange): boolean;
}

interface HighlightRegistry {
  set(name: string, highlight: Highlight): void;
  delete(name: string): boolean;
}

declare namespace CSS {
  const highlights: HighlightRegistry | undefined;
}

interface Document {
  caretPositionFromPoint?(x: number, y: number): { offsetNode: Node; offset: number } | null;
}

declare namespace Intl {
  class Segmenter {
    constructor(locale?: string, options?: { granularity: "word" | "grapheme" | "sentence" });
    segment(text: string): Iterable<{ segment: string; index: number; isWordLike?: boolean }>;
  }
}

/** Only in the audio thread. */
declare const sampleRate: number;

/** Only in the audio thread: how many frames have been processed. */
declare const currentFrame: number;

declare class AudioWorkletProcessor {
  readonly port: MessagePort;
}

declare function registerProcessor(name: string, processor: new (options: any) => AudioWorkletProcessor): void;

interface WakeLockSentinel {
  release(): Promise<void>;
}

interface Navigator {
  readonly wakeLock?: { request(type: "screen"): Promise<WakeLockSentinel> };
}
