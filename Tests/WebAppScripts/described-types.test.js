import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, describe, test } from "node:test";
import { fileURLToPath } from "node:url";

const resources = fileURLToPath(new URL("../../Sources/WebApp/Resources/", import.meta.url));
const rules = fileURLToPath(new URL("../../jsconfig.json", import.meta.url));
const description = JSON.parse(readFileSync(`${resources}openapi.json`, "utf8"));
const folder = mkdtempSync(join(tmpdir(), "described-types-"));
after(() => rmSync(folder, { recursive: true }));

/** The page's types for what the server sends: module, type, schema. */
const received = [
  ["http", "Problem", "Problem"],
  ["http", "AppState", "State"],
  ["http", "VaultStatus", "Vault"],
  ["settings", "VaultReport", "VaultReport"],
  ["settings", "VaultCheckLine", "VaultCheckLine"],
  ["voices", "Voice", "Voice"],
  ["voices", "DownloadState", "DownloadState"],
  ["voices", "Download", "Download"],
  ["voices", "Installed", "InstalledVoice"],
  ["voices", "VoiceListing", "VoiceListing"],
  ["voices", "Loss", "VoiceLoss"],
  ["voices", "VoiceListings", "VoiceListings"],
  ["voices", "Failure", "Failure"],
  ["narrations", "Narration", "Narration"],
  ["narrations", "Word", "Word"],
  ["narrations", "Sentence", "Sentence"],
  ["narrations", "Timings", "Timings"],
  ["narrations", "Source", "DocumentLink"],
  ["library", "Place", "Place"],
  ["library", "Item", "Recording"],
  ["library", "Chapter", "Chapter"],
  ["recordings", "Session", "RecordingSession"],
  ["recordings", "Mark", "RecordingMark"],
  ["recordings", "ChunkReceipt", "ChunkReceipt"],
  ["transcriptions", "TranscriptVersion", "TranscriptVersion"],
  ["transcriptions", "Transcript", "Transcript"],
  ["transcriptions", "Changes", "TranscriptChanges"],
  ["transcriptions", "Segment", "TranscriptSegment"],
  ["transcriptions", "Differences", "TranscriptDifferences"],
  ["transcriptions", "Transcription", "Transcription"],
  ["transcriptions", "Recognizer", "Recognizer"],
  ["transcriptions", "RecognizerOffer", "RecognizerOffer"],
  ["transcriptions", "Recognizers", "Recognizers"],
  ["transcriptions", "SpeakerSearch", "SpeakerSearch"],
  ["transcriptions", "Speakers", "Speakers"],
  ["transcriptions", "SpeakerModelOffer", "SpeakerModelOffer"],
  ["transcriptions", "SpeechCheck", "SpeechCheck"],
  ["transcriptions", "Finding", "SpeechFinding"],
  ["transcriptions", "SpokenSentence", "SpokenSentence"],
  ["library", "QueueEntry", "Entry"],
  ["library", "Bookmark", "Bookmark"],
  ["library", "Playback", "Playback"],
  ["library", "HistoryEntry", "HistoryEntry"],
  ["library", "History", "History"],
  ["voices", "Profile", "Profile"],
  ["voices", "Profiles", "Profiles"],
  ["settings", "Setting", "Setting"],
  ["settings", "Storage", "Storage"],
  ["transcriptions", "Sending", "Sending"],
  ["transcriptions", "TranscriptionService", "TranscriptionService"],
  ["transcriptions", "TranscriptionServices", "TranscriptionServices"],
  ["transcriptions", "ServiceTrial", "ServiceTrial"],
  ["settings", "OutboundRecord", "OutboundRecord"],
  ["settings", "OutboundRecords", "OutboundRecords"],
  ["documents", "Selection", "Selection"],
  ["documents", "Notice", "Notice"],
  ["documents", "Document", "Document"],
  ["documents", "Structure", "Structure"],
  ["documents", "TextPart", "Passage"],
  ["documents", "Preview", "Spoken"],
  ["documents", "Imported", "Import"],
  ["practice", "Speech", "Speech"],
  ["practice", "PracticeSession", "Practice"],
  ["practice", "PracticeSettings", "PracticeSettings"],
  ["practice", "PracticeSummary", "PracticeSummary"],
  ["practice", "PracticeOutcome", "PracticeOutcome"],
  ["practice", "PracticeSegments", "PracticeSegments"],
  ["practice", "SegmentTiming", "SegmentTiming"],
  ["practice", "PracticeTake", "Take"],
  ["practice", "TakeScore", "TakeScore"],
  ["practice", "HardSegments", "HardSegments"],
  ["practice", "HeardTurn", "HeardTurn"],
  ["narrations", "BatchEntry", "BatchEntry"],
  ["narrations", "Batch", "Batch"],
];

/** The page's types for what it sends: module, type, and operation. */
const sent = [
  ["narrations", "NarrationRequest", "startNarration"],
  ["recordings", "SessionOrder", "beginRecordingSession"],
  ["library", "WantedFiles", "prepareExport"],
  ["voices", "ProfileContent", "createProfile"],
  ["transcriptions", "ServiceContent", "setTranscriptionService"],
  ["documents", "Selection", "setDocumentSelection"],
  ["practice", "SpeechContent", "createSpeech"],
  ["practice", "SessionOrder", "beginPractice"],
  ["transcriptions", "TranscriptionOrder", "startTranscription"],
];

/**
 * The TypeScript type that a schema describes.
 *
 * @param {any} schema
 * @returns {string}
 */
function typeOf(schema) {
  if (schema.$ref) return schema.$ref.split("/").at(-1);
  if (schema.enum) return schema.enum.map((/** @type {unknown} */ one) => JSON.stringify(one)).join(" | ");
  if (schema.anyOf) return schema.anyOf.map(typeOf).join(" | ");
  if (Array.isArray(schema.type)) {
    return schema.type.map((/** @type {string} */ type) => typeOf({ ...schema, type })).join(" | ");
  }
  switch (schema.type) {
    case "object": return objectType(schema);
    case "array": return arrayType(schema);
    case "integer": return "number";
    default: return schema.type;
  }
}

/** @param {any} schema */
function arrayType({ items, minItems, maxItems }) {
  const type = typeOf(items);
  return minItems !== undefined && minItems === maxItems ? `[${Array(minItems).fill(type)}]` : `(${type})[]`;
}

/** @param {any} schema */
function objectType({ properties = {}, required = [], additionalProperties }) {
  if (additionalProperties) return `Record<string, ${typeOf(additionalProperties)}>`;
  const lines = Object.entries(properties).map(
    ([name, schema]) => `${JSON.stringify(name)}${required.includes(name) ? "" : "?"}: ${typeOf(schema)};`,
  );
  return `{ ${lines.join(" ")} }`;
}

/** @param {string} operation */
function bodyOf(operation) {
  const all = Object.values(description.paths).flatMap((one) => Object.values(one));
  const body = all.find((one) => one.operationId === operation).requestBody;
  const { content } = body.$ref ? description.components.requestBodies[body.$ref.split("/").at(-1)] : body;
  return content["application/json"].schema;
}

const schemas = Object.entries(description.components.schemas);
const declarations = schemas.map(([name, schema]) => `type ${name} = ${typeOf(schema)};`).join("\n");

/**
 * The TypeScript compiler's messages about some lines that use the described types.
 *
 * @param {string} lines
 */
function complaints(lines) {
  writeFileSync(join(folder, "check.ts"), `export {};\n${declarations}\n${lines}\n`);
  const project = join(folder, "tsconfig.json");
  const compilerOptions = { checkJs: false, noUnusedLocals: false };
  writeFileSync(project, JSON.stringify({ extends: rules, compilerOptions, include: [], files: ["check.ts"] }));
  return spawnSync("tsc", ["--project", project], { encoding: "utf8" }).stdout;
}

/** @param {string} module @param {string} type */
const pageType = (module, type) => `import(${JSON.stringify(`${resources}www/server/${module}.js`)}).${type}`;

describe("the API's description", () => {
  test("gives examples that are of their schema's type", () => {
    const lines = schemas.flatMap(([name, { examples }]) =>
      examples.map((/** @type {unknown} */ one, /** @type {number} */ n) => `const ${name}${n}: ${name} = ${JSON.stringify(one)};`),
    );
    assert.equal(complaints(lines.join("\n")), "");
    assert.match(complaints('const wrong: Problem = { code: "x", message: 1, suggestion: null };'), /not assignable/);
  });

  test("is what the page's types say of answers", () => {
    const lines = received.flatMap(([module, type, schema], n) => [
      `export const fits${n}: ${pageType(module, type)} = null! as ${schema};`,
      `export const known${n}: Exclude<keyof ${pageType(module, type)}, keyof ${schema}> extends never ? true : "${type} has more than ${schema}" = true;`,
    ]);
    assert.equal(complaints(lines.join("\n")), "");
  });

  test("takes what the page's types say of requests", () => {
    const lines = sent.map(
      ([module, type, operation], n) => `export const fits${n}: ${typeOf(bodyOf(operation))} = null! as ${pageType(module, type)};`,
    );
    assert.equal(complaints(lines.join("\n")), "");
  });
});
