/** The kind of message that a file is sent as. */
export type FileKind = "image" | "video" | "audio" | "document";

/** The type to send a file with; or, for a file of another kind or with a wrong type, the reason in words for the caller. */
export type TypeVerdict =
  | { readonly kind: "accepted"; readonly mimetype: string }
  | { readonly kind: "unsupported" | "misfit"; readonly why: string };

export interface NamedType {
  readonly mimetype: string;
  /** File name of a document. */
  readonly name?: string;
}

/**
 * Compares a caller's type with the type that the file's bytes show (`found`, undefined for an unknown type). Corrects a wrong subtype;
 * refuses another family, a malformed type, and an error page instead of a file.
 */
export function judgeType(kind: FileKind, given: NamedType, found: string | undefined): TypeVerdict {
  if (kind !== "document" && !isOfKind(kind, found)) return { kind: "unsupported", why: `unsupported ${kind} format, ${foundAs(found)}` };
  if (!wellFormed.test(given.mimetype)) return refused("mimetype is malformed", found);
  const base = plainType(given.mimetype);
  if (kind === "document") return judgeDocument(given, base, found);
  const shown = kind === "audio" ? asSound(found) : found;
  if (familyOf(base) !== kind) return refused(`mimetype ${base} does not fit the file`, shown);
  return accepted(shown === undefined || shown === base ? given.mimetype : shown);
}

/** Returns a type without parameters, in small letters. */
export function plainType(mimetype: string): string {
  return (mimetype.split(";")[0] ?? "").trim().toLowerCase();
}

/** Allows no control characters, and blanks only around parameters, because the type goes into other protocols. */
const wellFormed = /^[\w!#$&^.+*-]{1,127}\/[\w!#$&^.+*-]{1,127}( *; *[\w!#$&^.+*-]+=([\w!#$&^.+*-]+|"[ !#-[\]-~]*"))*$/;

/**
 * Pictures, except drawings, have a signature. Video containers may hold sound alone, and some formats of sound and video have no
 * signature.
 */
function isOfKind(kind: Exclude<FileKind, "document">, found: string | undefined): boolean {
  if (found === undefined) return kind !== "image";
  if (kind === "image") return familyOf(found) === "image" && found !== "image/svg+xml";
  return familyOf(found) === kind || (kind === "audio" && familyOf(found) === "video") || (kind === "video" && found === "audio/ogg");
}

function judgeDocument(given: NamedType, base: string, found: string | undefined): TypeVerdict {
  if (found === undefined) return accepted(given.mimetype);
  const byName = typeByName(given.name ?? "");
  if (isTextual(found)) {
    const expected = [base, byName].find((type) => type !== undefined && refusesText(type, found));
    return expected === undefined ? accepted(given.mimetype) : refused(`the document is no ${expected}`, found);
  }
  // An application format may be built on a container, as program packages are on archives.
  if (bare.has(found) && familyOf(base) === "application" && !signed.has(base)) return accepted(given.mimetype);
  if (generic.has(base)) return accepted(found);
  if (subtypeOf(found) === subtypeOf(base)) return accepted(given.mimetype);
  if (familyOf(found) === familyOf(base)) return accepted(found);
  // An unknown application type may stand for any bytes.
  return isRecognised(base) ? refused(`mimetype ${base} does not fit the file`, found) : accepted(given.mimetype);
}

const generic = new Set(["application/octet-stream", "binary/octet-stream", "application/binary", "application/x-download"]);
/** Containers of many formats, which say little about their content. */
const bare = new Set(["application/zip", "application/x-cfb", "application/java-archive"]);
/** Types whose files always begin in the same way. */
const signed = new Set([
  ...["application/pdf", "application/gzip", "application/x-7z-compressed", "application/vnd.rar", "application/x-rar-compressed"],
  ...["application/x-tar", "application/x-bzip2", "application/x-xz"],
]);

const isRecognised = (type: string): boolean => familyOf(type) !== "application" || signed.has(type) || isOffice(type);
const isOffice = (type: string): boolean => /^application\/(msword|vnd\.(ms-|openxmlformats-|oasis\.))/.test(type);

function isTextual(type: string): boolean {
  return familyOf(type) === "text" || type === "application/json" || type === "image/svg+xml";
}

/** Returns true when a file of this type cannot be the text that was found. Tables and letters are often written as web pages or XML. */
function refusesText(type: string, found: string): boolean {
  if (/^application\/(msword|vnd\.ms-(excel|word))$/.test(type)) return found === "application/json";
  if (/\+(xml|json)$|mpegurl|scpls/.test(type)) return false;
  return (
    signed.has(type) ||
    isOffice(type) ||
    /^(application\/(zip|x-zip-compressed|epub\+zip|java-archive)|(image|audio|video|font)\/.*)$/.test(type)
  );
}

/** For documents declared as any bytes, or with the type of a server's error page. */
function typeByName(name: string): string | undefined {
  return byExtension[/\.([a-z0-9]{1,5})$/i.exec(name)?.[1]?.toLowerCase() ?? ""];
}

const byExtension: Readonly<Record<string, string>> = {
  pdf: "application/pdf",
  zip: "application/zip",
  gz: "application/gzip",
  "7z": "application/x-7z-compressed",
  rar: "application/vnd.rar",
  docx: "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
  xlsx: "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
  pptx: "application/vnd.openxmlformats-officedocument.presentationml.presentation",
  odt: "application/vnd.oasis.opendocument.text",
  ods: "application/vnd.oasis.opendocument.spreadsheet",
  jpg: "image/jpeg",
  jpeg: "image/jpeg",
  png: "image/png",
  gif: "image/gif",
  webp: "image/webp",
  mp3: "audio/mpeg",
  m4a: "audio/mp4",
  ogg: "audio/ogg",
  mp4: "video/mp4",
  mov: "video/quicktime",
};

/** Returns the audio type of a video container that is sent as sound. */
function asSound(found: string | undefined): string | undefined {
  return found === "video/quicktime" ? "audio/mp4" : found?.replace(/^video\//, "audio/");
}

const familyOf = (type: string): string => type.slice(0, type.indexOf("/"));
const subtypeOf = (type: string): string => type.slice(type.indexOf("/") + 1);
const accepted = (mimetype: string): TypeVerdict => ({ kind: "accepted", mimetype });
const foundAs = (found: string | undefined): string => `found ${found ?? "unknown data"}`;
const refused = (what: string, found: string | undefined): TypeVerdict => ({ kind: "misfit", why: `${what}, ${foundAs(found)}` });
