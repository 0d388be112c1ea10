/**
 * JSON in a third of its bytes: names that the library uses are numbers, base64 is bytes, integers are as long as they must be. Signal keys are written with every message, and two
 * thirds of their JSON are names and base64.
 */
export function packJson(text: Buffer): Buffer {
  return packValue(JSON.parse(text.toString()), text.length);
}

/** The same of a value that has a JSON form as it is: what is undefined is left out. */
export function packValue(value: unknown, expectedBytes = 1_024): Buffer {
  const writer = new Writer(Buffer.alloc(expectedBytes));
  writer.byte(mark);
  write(writer, value);
  return writer.done();
}

/** JSON text of what was packed. Throws when it is none. */
export function unpackJson(stored: Buffer): Buffer {
  if (stored[0] !== mark) throw new Error("no packed value");
  const reader = new Reader(stored, 1);
  const value = read(reader);
  if (!reader.isAtEnd) throw new Error("something stands behind a packed value");
  return Buffer.from(JSON.stringify(value));
}

const mark = 0x02;

const tags = {
  null: 0,
  false: 1,
  true: 2,
  integer: 3,
  negative: 4,
  double: 5,
  text: 6,
  name: 7,
  base64: 8,
  /** `{type: "Buffer", data: <base64>}`, as the library writes bytes. */
  bytes: 9,
  list: 10,
  object: 11,
  /** Base64 that stands in the value before, by its number: keys name their chains and sessions. */
  again: 12,
} as const;

/** Stored data: a name may be added at the end, and none is ever changed or removed. */
const names = [
  ...["_sessions", "version", "v1", "registrationId", "currentRatchet", "ephemeralKeyPair", "pubKey", "privKey", "lastRemoteEphemeralKey"],
  ...["previousCounter", "rootKey", "indexInfo", "baseKey", "baseKeyType", "closed", "used", "created", "remoteIdentityKey", "_chains"],
  ...["chainKey", "counter", "key", "chainType", "messageKeys", "pendingPreKey", "signedKeyId", "preKeyId", "private", "public"],
  ...["keyData", "fingerprint", "timestamp", "rawId", "currentIndex", "deviceIndexes", "hash", "indexValueMap", "valueMac"],
];
const numberOf = new Map(names.map((name, index) => [name, index]));

/** Shorter ones are no shorter as bytes. */
const base64Min = 12;

function write(writer: Writer, value: unknown): void {
  if (value === null) return writer.byte(tags.null);
  if (typeof value === "boolean") return writer.byte(value ? tags.true : tags.false);
  if (typeof value === "number") return writeNumber(writer, value);
  if (typeof value === "string") return writeText(writer, value);
  if (Array.isArray(value)) {
    writer.byte(tags.list);
    writer.count(value.length);
    for (const item of value as unknown[]) write(writer, item);
    return;
  }
  const entries = Object.entries(value as Record<string, unknown>).filter(([, item]) => item !== undefined);
  const bytes = bytesIn(entries);
  if (bytes !== undefined) {
    writer.byte(tags.bytes);
    return writer.bytes(bytes);
  }
  writer.byte(tags.object);
  writer.count(entries.length);
  for (const [name, item] of entries) {
    writeText(writer, name);
    write(writer, item);
  }
}

function writeNumber(writer: Writer, value: number): void {
  if (Number.isSafeInteger(value) && !Object.is(value, -0)) {
    writer.byte(value < 0 ? tags.negative : tags.integer);
    return writer.count(Math.abs(value));
  }
  writer.byte(tags.double);
  const bytes = Buffer.alloc(8);
  bytes.writeDoubleLE(value);
  writer.raw(bytes);
}

function writeText(writer: Writer, value: string): void {
  const number = numberOf.get(value);
  if (number !== undefined) {
    writer.byte(tags.name);
    return writer.count(number);
  }
  const bytes = value.length < base64Min ? undefined : base64In(value);
  const before = bytes && writer.seen.get(value);
  if (before !== undefined) {
    writer.byte(tags.again);
    return writer.count(before);
  }
  if (bytes !== undefined) writer.seen.set(value, writer.seen.size);
  writer.byte(bytes === undefined ? tags.text : tags.base64);
  writer.bytes(bytes ?? Buffer.from(value));
}

/** Of a text that is the base64 of some bytes to the letter. */
function base64In(value: string): Buffer | undefined {
  if (value.length % 4 !== 0) return undefined;
  const bytes = Buffer.from(value, "base64");
  return bytes.toString("base64") === value ? bytes : undefined;
}

function bytesIn(entries: readonly [string, unknown][]): Buffer | undefined {
  const [first, second] = entries;
  if (entries.length !== 2 || first?.[0] !== "type" || first[1] !== "Buffer" || second?.[0] !== "data") return undefined;
  return typeof second[1] === "string" ? base64In(second[1]) : undefined;
}

function read(reader: Reader): unknown {
  const tag = reader.byte();
  switch (tag) {
    case tags.null:
      return null;
    case tags.false:
      return false;
    case tags.true:
      return true;
    case tags.integer:
      return reader.count();
    case tags.negative:
      return -reader.count();
    case tags.double:
      return reader.raw(8).readDoubleLE();
    case tags.list:
      return Array.from({ length: reader.count() }, () => read(reader));
    case tags.bytes:
      return { type: "Buffer", data: reader.bytes().toString("base64") };
    case tags.object:
      // Entries, not assignments: a name such as __proto__ is a name.
      return Object.fromEntries(Array.from({ length: reader.count() }, () => [readText(reader, reader.byte()), read(reader)]));
    default:
      return readText(reader, tag);
  }
}

function readText(reader: Reader, tag: number): string {
  if (tag === tags.text) return reader.bytes().toString();
  if (tag === tags.base64) {
    const text = reader.bytes().toString("base64");
    reader.seen.push(text);
    return text;
  }
  const name = tag === tags.name ? names[reader.count()] : tag === tags.again ? reader.seen[reader.count()] : undefined;
  if (name === undefined) throw new Error("a packed value has a part that is not known");
  return name;
}

class Writer {
  /** Base64 that was written, with its number. */
  readonly seen = new Map<string, number>();
  private length = 0;

  constructor(private room: Buffer) {}

  byte(value: number): void {
    this.reserve(1);
    this.room[this.length++] = value;
  }

  raw(bytes: Buffer): void {
    this.reserve(bytes.length);
    this.length += bytes.copy(this.room, this.length);
  }

  bytes(bytes: Buffer): void {
    this.count(bytes.length);
    this.raw(bytes);
  }

  /** Seven bits a byte, the lowest first. */
  count(value: number): void {
    let rest = value;
    for (; rest >= 0x80; rest = Math.floor(rest / 0x80)) this.byte(rest % 0x80 | 0x80);
    this.byte(rest);
  }

  done(): Buffer {
    return this.room.subarray(0, this.length);
  }

  private reserve(more: number): void {
    if (this.length + more <= this.room.length) return;
    const larger = Buffer.alloc(2 * (this.length + more));
    this.room.copy(larger, 0, 0, this.length);
    this.room = larger;
  }
}

class Reader {
  readonly seen: string[] = [];

  constructor(
    private readonly stored: Buffer,
    private at: number,
  ) {}

  get isAtEnd(): boolean {
    return this.at === this.stored.length;
  }

  byte(): number {
    const value = this.stored[this.at];
    if (value === undefined) throw new Error("a packed value is cut off");
    this.at += 1;
    return value;
  }

  raw(length: number): Buffer {
    if (length > this.stored.length - this.at) throw new Error("a packed value is cut off");
    this.at += length;
    return this.stored.subarray(this.at - length, this.at);
  }

  bytes(): Buffer {
    return this.raw(this.count());
  }

  count(): number {
    let value = 0;
    for (let factor = 1; ; factor *= 0x80) {
      const byte = this.byte();
      value += (byte & 0x7f) * factor;
      if (byte < 0x80) return value;
    }
  }
}
