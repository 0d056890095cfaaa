import { problemOf, report, request, ServerProblem } from "./http.js";

/** @typedef {import("./api.js").VaultReport} VaultReport */
/** @typedef {import("./api.js").VaultCheckLine} Line */

/**
 * Looks through the library for damage.
 *
 * @param {object} options
 * @param {boolean} options.readsData Whether every byte is read.
 * @param {boolean} options.repairs Whether what can be repaired is.
 * @param {(percent: number) => void} onProgress
 * @param {AbortSignal} signal Ends the check.
 * @returns {Promise<VaultReport>}
 * @throws {ServerProblem} Or the signal's reason when aborted.
 */
export async function checkLibrary({ readsData, repairs }, onProgress, signal) {
  const response = await request("/api/vault/check", { method: "POST", body: { readData: readsData, repair: repairs }, signal });
  try {
    for await (const line of linesOf(response)) {
      const { percent, report: found, failure } = /** @type {Line} */ (JSON.parse(line));
      if (percent !== undefined) onProgress(percent);
      if (found !== undefined) return found;
      if (failure !== undefined) throw report(problemOf(failure.code === "vault.locked" ? 423 : 500, failure, null));
    }
  } catch (error) {
    if (signal.aborted || error instanceof ServerProblem) throw error;
  }
  throw new ServerProblem({ code: "server.unreachable", message: "EchoText does not answer." }, 0);
}

/**
 * The complete lines of an answer, as they come.
 *
 * @param {Response} response
 */
async function* linesOf(response) {
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
  let rest = "";
  for (let part = await reader?.read(); part !== undefined && !part.done; part = await reader?.read()) {
    const lines = (rest + part.value).split("\n");
    rest = lines.pop() ?? "";
    yield* lines;
  }
}
