/** @typedef {"sound" | "document" | "text"} FileKind A picture is a document, which the documents refuse with the reason. */

/** How many bytes of a file are looked at. */
export const looked = 4_096;

const otherEndings =
  /\.(pdf|epub|md|markdown|txt|text|srt|vtt|docx?|odt|rtf|xlsx?|ods|pptx?|odp|apng|avif|bmp|gif|heic|heif|ico|jpe?g|jfif|jxl|png|svgz?|tiff?|webp|psd|ttf|otf|woff2?)$/i;
const otherTypes = /^(text|image|font|model|message)\/|^application\/(pdf|epub|rtf|msword|json|xml|vnd\.(ms-|oasis\.|openxmlformats))/;

/**
 * Whether a file may be sound, by what its type and its name say; sound comes under many names.
 *
 * @param {{ type: string, name?: string }} file
 */
export function mayBeSound({ type, name = "" }) {
  return /^(audio|video)\//.test(type) || !(otherTypes.test(type) || otherEndings.test(name));
}

/** The first bytes of documents and pictures; a letter stands for its code in Latin-1. */
const documents = [/^[^]{0,1020}%PDF-/, /^PK\x03\x04/, /^\{\\rtf/, /^\xd0\xcf\x11\xe0/, /^\x89PNG/, /^\xff\xd8\xff/, /^GIF8/, /^BM[^]{4}\0\0\0\0/, /^RIFF[^]{4}WEBP/, /^(II\*\0|MM\0\*)/, /^[^]{4}ftyp(heic|heix|hevc|mif1|msf1|avif|avis)/];
const marked = /^(\xef\xbb\xbf|\xff\xfe|\xfe\xff)/;
/** The first bytes of files with sound, of which a stream of MPEG has the fewest. */
const sounds = [/^(RIFF|RIFX|RF64)[^]{4}(WAVE|AVI )/, /^OggS/, /^fLaC/, /^ID3/, /^FORM[^]{4}AIF[FC]/, /^\.snd/, /^#!AMR/, /^caff/, /^\x1a\x45\xdf\xa3/, /^[^]{4}(ftyp|moov|mdat)/, /^\x30\x26\xb2\x75/, /^FLV/, /^\0\0\x01[\xba\xb3]/, /^G[^]{187}G/, /^\.RMF/, /^wvpk/, /^MAC /, /^\xff[\xe2-\xe7\xf0-\xff]/];

/**
 * What a file is, by its first bytes; by its type and name only where they decide nothing.
 *
 * @param {Uint8Array} bytes The first {@link looked} ones, or all of a smaller file.
 * @param {{ type: string, name: string }} file
 * @returns {FileKind}
 */
export function kindOf(bytes, file) {
  const text = latin1(bytes);
  if (documents.some((one) => one.test(text))) return "document";
  if (marked.test(text)) return "text";
  if (sounds.some((one) => one.test(text))) return "sound";
  // Sound of no known kind and without a name for it has bytes that no text has.
  if (!/[\0-\x08\x0e-\x1a]/.test(text)) return "text";
  return mayBeSound(file) ? "sound" : "document";
}

/** @param {Uint8Array} bytes */
function latin1(bytes) {
  let text = "";
  for (const byte of bytes) text += String.fromCharCode(byte);
  return text;
}
