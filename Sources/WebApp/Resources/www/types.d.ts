/** What browsers have and the type checker's library does not know. */

interface TrustedTypePolicyFactory {
  createPolicy(name: string, rules: { createScriptURL(address: string): string }): { createScriptURL(address: string): string };
}

interface Window {
  trustedTypes?: TrustedTypePolicyFactory;
}

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

interface ExtendableEvent extends Event {
  waitUntil(work: Promise<unknown>): void;
}

interface FetchEvent extends ExtendableEvent {
  readonly request: Request;
  respondWith(response: Promise<Response>): void;
}

interface ServiceWorkerGlobalScope extends EventTarget {
  readonly location: Location;
  readonly clients: { claim(): Promise<void> };
  skipWaiting(): Promise<void>;
  addEventListener(name: "install" | "activate", listener: (event: ExtendableEvent) => void): void;
  addEventListener(name: "fetch", listener: (event: FetchEvent) => void): void;
}
