/** @typedef {import("../../server/library.js").ExportFormat} ExportFormat */

/**
 * What recordings can be stored as, the best known first.
 *
 * @type {readonly { title: string, formats: readonly ExportFormat[] }[]}
 */
export const exportFormats = Object.freeze([
  { title: "export.group.sound", formats: ["mp3", "flac", "wav", "opus", "ogg"] },
  { title: "export.group.book", formats: ["m4b", "epub", "chapters"] },
  { title: "export.group.text", formats: ["txt", "srt", "vtt", "json"] },
]);
