const otherEndings =
  /\.(pdf|epub|md|markdown|txt|text|srt|vtt|docx?|odt|rtf|xlsx?|ods|pptx?|odp|apng|avif|bmp|gif|heic|heif|ico|jpe?g|jfif|jxl|png|svgz?|tiff?|webp|psd|ttf|otf|woff2?)$/i;
const otherTypes = /^(text|image|font|model|message)\/|^application\/(pdf|epub|rtf|msword|json|xml|vnd\.(ms-|oasis\.|openxmlformats))/;

/**
 * Whether a file is worth sending to be imported as sound: whatever neither its type nor its name says to be something
 * else, since sound comes under many names.
 *
 * @param {{ type: string, name?: string }} file Of what is being dragged, only the type is known.
 */
export function mayBeSound({ type, name = "" }) {
  return /^(audio|video)\//.test(type) || !(otherTypes.test(type) || otherEndings.test(name));
}
