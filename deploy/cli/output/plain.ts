const unsafe = "\\p{Cc}\\u061c\\u200e\\u200f\\u2028\\u2029\\u202a-\\u202e\\u2066-\\u2069";
const unsafeInJson = /[\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/g;
const unsafeRun = new RegExp(`[${unsafe}]+`, "gu");
const styleOrUnsafe = new RegExp(`\u001b\\[[\\d;]*m|[${unsafe}]`, "gu");

/** Returns equivalent JSON in which terminal control characters, and characters that reverse the text direction, are escaped. */
export function safeJson(document: unknown, indent?: number): string {
  return JSON.stringify(document, undefined, indent).replace(
    unsafeInJson,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}

/** Removes terminal commands from our own text with foreign parts; keeps line feeds, tabs and colors. */
export function safe(text: string): string {
  return text.replace(styleOrUnsafe, (found) => (found.length > 1 || found === "\n" || found === "\t" ? found : " "));
}

/** Returns a foreign text, such as an account's name, on one line and without terminal commands. */
export function plain(text: string): string {
  return text.replace(unsafeRun, " ");
}
