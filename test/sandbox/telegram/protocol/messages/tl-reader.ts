/**
 * Reads TL objects from untrusted bytes into GramJS's classes. GramJS's own readers expect a trusted server: an error in a vector damages
 * shared state, lengths are unbounded, types are unchecked, and unpacking may reject unhandled.
 */
import bigInt from "big-integer";
import { tlobjects } from "telegram/tl/AllTLObjects.js";
import apiSchema from "telegram/tl/apiTl.js";
import { parseTl } from "telegram/tl/generationHelpers.js";
import mtprotoSchema from "telegram/tl/schemaTl.js";
import { laterRequests } from "../layers/later-requests.js";
import { ProtocolViolation } from "../violation.js";

/** Any object of the schema. */
export interface TlObject {
  readonly CONSTRUCTOR_ID: number;
  readonly className: string;
  getBytes(): Buffer;
}

/** The bytes are no object of the schema, or of a later layer. */
export class TlReadError extends ProtocolViolation {}

/** An object whose type this layer lacks. */
export class UnknownConstructor extends TlReadError {
  constructor(readonly constructorId: number) {
    super(`unknown constructor ${constructorId}`);
  }
}

export const vectorId = 0x1cb5c415;
export const trueId = 0x997275b5;
export const falseId = 0xbc799737;
/** The deepest requests (an album with nested stickers) have fewer than a dozen levels. */
const maxDepth = 32;

export interface Argument {
  readonly isVector: boolean;
  readonly isFlag: boolean;
  readonly flagName: string | null;
  readonly flagIndex: number;
  readonly flagIndicator: boolean;
  readonly skipConstructorId: boolean;
  readonly useVectorId: boolean | null;
  readonly type: string | null;
}

interface SchemaLine {
  readonly constructorId: number;
  readonly name: string;
  readonly namespace: string | undefined;
  readonly result: string;
  readonly isFunction: boolean;
  readonly argsConfig: Readonly<Record<string, Argument>>;
}

interface Definition {
  readonly result: string;
  readonly isFunction: boolean;
  readonly fields: readonly (readonly [name: string, argument: Argument])[];
}

/** The platform accepts an `inputPeerUser` as the `inputUser` of a mention, which Telethon sends. */
const mention = ".InputMessageEntityMentionName";
const namedPerson = "InputUser or InputPeer";
function takingPeers([name, argument]: Definition["fields"][number]): Definition["fields"][number] {
  return [name, argument.type === "InputUser" ? { ...argument, type: namedPerson } : argument];
}

const definitions = new Map<number, Definition>();
/** This layer's constructor ids by name. They also represent those of later layers. */
const ids = new Map<string, number>();
const later = new Map<number, number | undefined>();
for (const schema of [apiSchema, mtprotoSchema, laterRequests]) {
  const lines: Iterable<SchemaLine> = parseTl(schema, "198");
  for (const { constructorId, name, namespace, result, isFunction, argsConfig } of lines) {
    const fullName = `${namespace ?? ""}.${name}`;
    if (schema === laterRequests) later.set(constructorId, ids.get(fullName));
    else ids.set(fullName, constructorId);
    const fields = Object.entries(argsConfig);
    definitions.set(constructorId, { result, isFunction, fields: fullName === mention ? fields.map(takingPeers) : fields });
  }
}

const classes: Readonly<Record<number, (new (args: Record<string, unknown>) => TlObject) | undefined>> = tlobjects;

/** Returns the fields in their serialised order. */
export function fieldsOf(constructorId: number): Definition["fields"] {
  const definition = definitions.get(constructorId);
  if (!definition) throw new UnknownConstructor(constructorId);
  return definition.fields;
}

/** Returns true if the id names a function of this layer, which a client may call. */
export function isRequest(constructorId: number): boolean {
  return definitions.get(constructorId)?.isFunction === true;
}

/**
 * Reads the object at the start of `bytes` and returns where it ends. The field `query` of a wrapping function holds the remaining bytes
 * unparsed.
 */
export function readObject(bytes: Buffer): { object: TlObject; end: number } {
  const cursor = new Cursor(bytes);
  return { object: cursor.constructed(cursor.unsigned(), undefined, 0), end: cursor.offset };
}

class Cursor {
  offset = 0;

  constructor(private readonly bytes: Buffer) {}

  unsigned(): number {
    return this.bytes.readUInt32LE(this.advance(4));
  }

  constructed(constructorId: number, type: string | undefined, depth: number): TlObject {
    const definition = definitions.get(constructorId);
    const constructor = classes[later.get(constructorId) ?? constructorId];
    if (!definition || !constructor) throw new UnknownConstructor(constructorId);
    const fits = type === undefined || type === definition.result || (type === namedPerson && /^Input(User|Peer)$/.test(definition.result));
    if (!fits) throw new TlReadError(`a ${definition.result} where a ${type} belongs`);
    if (depth > maxDepth) throw new TlReadError("nested too deeply");
    const args: Record<string, unknown> = {};
    for (const [name, argument] of definition.fields) args[name] = this.argument(argument, args, depth + 1);
    return new constructor(args);
  }

  private argument(argument: Argument, args: Readonly<Record<string, unknown>>, depth: number): unknown {
    if (argument.flagIndicator) return this.integer();
    if (argument.isFlag) {
      const flags = args[argument.flagName ?? ""];
      const present = typeof flags === "number" && (flags & (1 << argument.flagIndex)) !== 0;
      if (argument.type === "true") return present;
      // GramJS reads absent fields as null, and the handlers of requests depend on it.
      if (!present) return null;
    }
    if (!argument.isVector) return this.value(argument, depth);
    if (argument.useVectorId && this.unsigned() !== vectorId) throw new TlReadError("no vector where one belongs");
    return this.vector(() => this.value(argument, depth));
  }

  private value(argument: Argument, depth: number): unknown {
    switch (argument.type) {
      case "int":
        return this.integer();
      case "long":
        return bigInt(this.bytes.readBigInt64LE(this.advance(8)));
      case "int128":
        return this.large(16);
      case "int256":
        return this.large(32);
      case "double":
        return this.bytes.readDoubleLE(this.advance(8));
      case "string":
        return this.blob().toString("utf8");
      case "bytes":
        return this.blob();
      case "Bool":
        return this.bool(this.unsigned());
      case "X":
        return this.bytes.subarray(this.advance(this.bytes.length - this.offset));
      default:
        if (argument.type === null || argument.skipConstructorId) throw new TlReadError("a bare type from a client");
        return this.constructed(this.unsigned(), argument.type, depth);
    }
  }

  private vector(item: () => unknown): unknown[] {
    const count = this.unsigned();
    if (count > (this.bytes.length - this.offset) / 4) throw new TlReadError(`vector of ${count} items`);
    return Array.from({ length: count }, item);
  }

  private bool(constructorId: number): boolean {
    if (constructorId !== trueId && constructorId !== falseId) throw new TlReadError("no Bool where one belongs");
    return constructorId === trueId;
  }

  private integer(): number {
    return this.bytes.readInt32LE(this.advance(4));
  }

  private large(length: number): bigInt.BigInteger {
    const bytes = Buffer.from(this.bytes.subarray(this.advance(length), this.offset)).reverse();
    return bigInt(BigInt.asIntN(length * 8, BigInt(`0x${bytes.toString("hex")}`)));
  }

  blob(): Buffer {
    let length = this.bytes.readUInt8(this.advance(1));
    let headBytes = 1;
    if (length === 254) {
      length = this.bytes.readUIntLE(this.advance(3), 3);
      headBytes = 4;
    } else if (length === 255) {
      throw new TlReadError("bytes of an unknown form");
    }
    const start = this.advance(length);
    this.advance((4 - ((headBytes + length) % 4)) % 4);
    return this.bytes.subarray(start, start + length);
  }

  /** Skips `count` bytes and returns their start. */
  private advance(count: number): number {
    const start = this.offset;
    if (start + count > this.bytes.length) throw new TlReadError("truncated object");
    this.offset = start + count;
    return start;
  }
}

/** Returns the packed bytes of a `gzip_packed` after its id. */
export function readBlob(bytes: Buffer, offset: number): Buffer {
  const cursor = new Cursor(bytes.subarray(offset));
  return cursor.blob();
}
