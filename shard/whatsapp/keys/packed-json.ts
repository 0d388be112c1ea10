import * as codec from "msgpackr/pack";

// Unlike the package's main file this file loads no native code. Its types do not resolve.
const { addExtension, Packr } = codec as unknown as typeof import("msgpackr");

/**
 * Packs JSON text as MessagePack in about half of its bytes, or a third for a session: base64 becomes bytes, and the shapes of the
 * library's objects become numbers.
 */
export function packJson(text: Buffer | string): Buffer {
  return packValue(JSON.parse(text.toString()));
}

/** Packs a value that is its own JSON form. Leaves out undefined members. */
export function packValue(value: unknown): Buffer {
  return packTree(packable(value, new Map()));
}

/** Packs what `packable` and `packableBase64` returned. */
export function packTree(tree: unknown): Buffer {
  return packr.pack(tree);
}

/** Returns the JSON text of a packed value. Throws when the bytes are truncated or have extra bytes at the end. */
export function unpackJson(stored: Buffer): string {
  // The codec writes a property to the buffer that it reads.
  const bytes = Buffer.from(stored.buffer, stored.byteOffset, stored.length);
  return JSON.stringify(jsonOf(packr.unpack(bytes), []));
}

/** Stored data depends on this list: add shapes only at the end, and never change or remove one. Names are in the library's order. */
const shapes = [
  ["_sessions", "version"],
  ["registrationId", "currentRatchet", "indexInfo", "_chains"],
  ["registrationId", "currentRatchet", "indexInfo", "_chains", "pendingPreKey"],
  ["ephemeralKeyPair", "lastRemoteEphemeralKey", "previousCounter", "rootKey"],
  ["pubKey", "privKey"],
  ["baseKey", "baseKeyType", "closed", "used", "created", "remoteIdentityKey"],
  ["chainKey", "chainType", "messageKeys"],
  ["counter", "key"],
  ["counter"],
  ["signedKeyId", "baseKey"],
  ["signedKeyId", "baseKey", "preKeyId"],
  ["private", "public"],
  ["keyPair", "keyId", "signature"],
  ["keyData", "fingerprint", "timestamp"],
  ["version", "hash", "indexValueMap"],
  ["valueMac"],
];
const isShape = new Set(shapes.map((names) => names.join()));
const packr = new Packr({ structures: shapes, maxSharedStructures: shapes.length, mapsAsObjects: false });

/** Bytes in the library's JSON form: `{type: "Buffer", data: <base64>}`. Plain MessagePack bytes stand for a base64 text. */
class LibraryBytes {
  constructor(readonly bytes: Uint8Array) {}
}
/** A base64 text that occurred earlier in the same value. */
class Repeated {
  constructor(readonly number: number) {}
}
addExtension({ Class: LibraryBytes, type: 1, pack: ({ bytes }: LibraryBytes) => bytes, unpack: (data) => new LibraryBytes(data) });
addExtension({
  Class: Repeated,
  type: 2,
  pack: ({ number }: Repeated) => Buffer.of(number),
  unpack: ([number = 0]) => new Repeated(number),
});

/** Shorter base64 does not get shorter as bytes. */
const base64Min = 12;
const repeatableMax = 256;

/** The base64 texts of a value so far, with their numbers. */
export type SeenTexts = Map<string, number>;

export function packable(value: unknown, seen: SeenTexts): unknown {
  if (typeof value === "string") return packableText(value, seen);
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return value.map((item) => packable(item, seen));
  const members = value as Readonly<Record<string, unknown>>;
  const names: string[] = [];
  for (const name of Object.keys(members)) if (members[name] !== undefined) names.push(name);
  const shape = names.join();
  const bytes = shape === "type,data" ? bytesIn(members) : undefined;
  if (bytes !== undefined) return new LibraryBytes(bytes);
  if (isShape.has(shape)) {
    const shaped: Record<string, unknown> = {};
    for (const name of names) shaped[name] = packable(members[name], seen);
    return shaped;
  }
  const map = new Map<unknown, unknown>();
  for (const name of names) map.set(packableText(name, seen), packable(members[name], seen));
  return map;
}

function packableText(text: string, seen: SeenTexts): unknown {
  const bytes = text.length < base64Min ? undefined : base64In(text);
  return bytes === undefined ? text : (repeated(text, seen) ?? bytes);
}

/** Does the same with a text that is known to be the base64 of a key. */
export function packableBase64(text: string, seen: SeenTexts): unknown {
  return text.length < base64Min ? text : (repeated(text, seen) ?? Buffer.from(text, "base64"));
}

/** Returns the number of an earlier text. Remembers a new one. */
function repeated(text: string, seen: SeenTexts): Repeated | undefined {
  const before = seen.get(text);
  if (before !== undefined) return new Repeated(before);
  if (seen.size < repeatableMax) seen.set(text, seen.size);
  return undefined;
}

function jsonOf(value: unknown, seen: string[]): unknown {
  if (typeof value !== "object" || value === null) return value;
  if (value instanceof Uint8Array || value instanceof Repeated) return textOf(value, seen);
  if (value instanceof LibraryBytes) return { type: "Buffer", data: base64Of(value.bytes) };
  if (Array.isArray(value)) return value.map((item) => jsonOf(item, seen));
  const entries = value instanceof Map ? [...(value as Map<unknown, unknown>)] : Object.entries(value);
  // `Object.fromEntries` keeps names such as __proto__, which an assignment would treat specially.
  return Object.fromEntries(entries.map(([name, item]) => [textOf(name, seen), jsonOf(item, seen)]));
}

function textOf(value: unknown, seen: string[]): string {
  if (typeof value === "string") return value;
  const text = value instanceof Repeated ? seen[value.number] : value instanceof Uint8Array ? base64Of(value) : undefined;
  if (text === undefined) throw new Error("a packed value has a part that is not known");
  if (!(value instanceof Repeated) && seen.length < repeatableMax) seen.push(text);
  return text;
}

function base64Of(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString("base64");
}

/** Returns the bytes of a text that is exactly their base64. */
function base64In(text: string): Buffer | undefined {
  if (text.length % 4 !== 0) return undefined;
  const bytes = Buffer.from(text, "base64");
  return bytes.toString("base64") === text ? bytes : undefined;
}

function bytesIn({ type, data }: { readonly type?: unknown; readonly data?: unknown }): Buffer | undefined {
  return type === "Buffer" && typeof data === "string" ? base64In(data) : undefined;
}
