/** The browser's own store for chunks that the server does not have yet, encrypted with a non-extractable key. */

const name = "echotext-recorder";
const way = "AES-GCM";

/** @type {Promise<IDBDatabase> | null} */
let database = null;

/** @returns {Promise<IDBDatabase>} */
function open() {
  database ??= new Promise((resolve, reject) => {
    const opening = indexedDB.open(name, 1);
    opening.onupgradeneeded = () => {
      opening.result.createObjectStore("keys");
      opening.result.createObjectStore("sessions");
      opening.result.createObjectStore("chunks");
    };
    opening.onsuccess = () => resolve(opening.result);
    opening.onerror = () => reject(opening.error);
  });
  database.catch(() => (database = null));
  return database;
}

/**
 * Runs one operation on a store, and waits until it is durable.
 *
 * @template Result
 * @param {"keys" | "sessions" | "chunks"} store
 * @param {IDBTransactionMode} mode
 * @param {(store: IDBObjectStore) => IDBRequest<Result>} work
 * @returns {Promise<Result>}
 */
async function within(store, mode, work) {
  const transaction = (await open()).transaction(store, mode);
  const asked = work(transaction.objectStore(store));
  return new Promise((resolve, reject) => {
    transaction.oncomplete = () => resolve(asked.result);
    transaction.onabort = transaction.onerror = () => reject(transaction.error);
  });
}

/** @returns {Promise<CryptoKey>} The key, which is generated on first use. */
async function key() {
  const present = await within("keys", "readonly", (keys) => keys.get("key"));
  if (present instanceof CryptoKey) return present;
  const made = await crypto.subtle.generateKey({ name: way, length: 256 }, false, ["encrypt", "decrypt"]);
  await within("keys", "readwrite", (keys) => keys.put(made, "key"));
  return made;
}

/**
 * The additional data of a chunk's encryption, so that one cannot replace another.
 *
 * @param {string} session
 * @param {number} number
 */
function label(session, number) {
  return new TextEncoder().encode(`${session} ${number}`);
}

/** The chunks of one session. */
export class StoredChunks {
  #session;
  /** @type {Promise<CryptoKey> | null} */
  #key = null;

  /** @param {string} session Its id. */
  constructor(session) {
    this.#session = session;
  }

  /**
   * @param {number} number
   * @param {ArrayBuffer} bytes
   */
  async keep(number, bytes) {
    this.#key ??= key();
    const iv = crypto.getRandomValues(new Uint8Array(12));
    const additionalData = label(this.#session, number);
    const sealed = await crypto.subtle.encrypt({ name: way, iv, additionalData }, await this.#key, bytes);
    await within("chunks", "readwrite", (chunks) => chunks.put({ iv, sealed }, [this.#session, number]));
  }

  /**
   * @param {number} number
   * @returns {Promise<ArrayBuffer | null>}
   */
  async read(number) {
    this.#key ??= key();
    const kept = await within("chunks", "readonly", (chunks) => chunks.get([this.#session, number]));
    if (kept === undefined) return null;
    const additionalData = label(this.#session, number);
    return crypto.subtle.decrypt({ name: way, iv: kept.iv, additionalData }, await this.#key, kept.sealed).catch(() => null);
  }

  /** @param {number} below */
  async forget(below) {
    const range = IDBKeyRange.bound([this.#session, 0], [this.#session, below], false, true);
    await within("chunks", "readwrite", (chunks) => chunks.delete(range));
  }

  /** @returns {Promise<number[]>} The numbers of its chunks, in their order. */
  async numbers() {
    const range = IDBKeyRange.bound([this.#session, 0], [this.#session, Infinity]);
    const keys = await within("chunks", "readonly", (chunks) => chunks.getAllKeys(range));
    return keys.map((key) => Number(Array.isArray(key) ? key[1] : key));
  }
}

/**
 * What chunks are that a session does not take, since another page's sound is in their place there.
 *
 * @typedef {object} Apart
 * @property {string} session The id of the one that did not take them.
 * @property {number} sampleRate In hertz.
 */

/**
 * Remembers that this browser records a session, until that becomes a recording or is discarded.
 *
 * @param {string} id
 * @param {Apart | null} apart Set when the session does not take its chunks.
 */
export async function rememberSession(id, apart = null) {
  await within("sessions", "readwrite", (sessions) => sessions.put(apart ?? true, id));
}

/** @param {string} id */
export async function forgetSession(id) {
  await within("sessions", "readwrite", (sessions) => sessions.delete(id));
}

/**
 * The sessions that this browser has recorded and not finished, by their ids, and what is to become of the chunks that
 * they do not take.
 *
 * @returns {Promise<Map<string, Apart | null>>}
 */
export async function rememberedSessions() {
  const all = new Map();
  for (const id of (await within("sessions", "readonly", (sessions) => sessions.getAllKeys())).map(String)) {
    const value = await within("sessions", "readonly", (sessions) => sessions.get(id));
    if (value !== undefined) all.set(id, value === true ? null : value);
  }
  return all;
}
