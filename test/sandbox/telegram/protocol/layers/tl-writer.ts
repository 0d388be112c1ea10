/** Serialises the platform's objects in the client's layer. */
import bigInt from "big-integer";
import { toSignedLittleBuffer } from "telegram/Helpers.js";
import { LAYER } from "telegram/tl/AllTLObjects.js";
import { serializeBytes } from "telegram/tl/generationHelpers.js";
import { type Argument, falseId, fieldsOf, type TlObject, trueId, vectorId } from "../messages/tl-reader.js";
import { changedConstructors } from "./changed-constructors.js";

export function writeObject(object: { getBytes(): Buffer }, layer: number): Buffer {
  if (layer <= LAYER || !isTlObject(object)) return object.getBytes();
  const parts: Buffer[] = [];
  put(parts, object, layer);
  return Buffer.concat(parts);
}

function put(parts: Buffer[], object: TlObject, layer: number): void {
  const change = changedConstructors[object.className]?.findLast(({ since }) => since <= layer);
  const fields = fieldsOf(object.CONSTRUCTOR_ID);
  parts.push(word(change?.id ?? object.CONSTRUCTOR_ID));
  for (const [name, argument] of fields) {
    if (change?.added?.before === name) parts.push(change.added.bytes);
    const value: unknown = Reflect.get(object, name);
    if (argument.flagIndicator) parts.push(word((flagsOf(object, fields, name) | (change?.flags ?? 0)) >>> 0));
    else if (argument.isFlag && (argument.type === "true" || !isPresent(value, argument))) continue;
    else if (argument.isVector) putVector(parts, value, argument, layer);
    else putValue(parts, value, argument, layer);
  }
  if (change?.ending !== undefined) parts.push(change.ending);
}

function flagsOf(object: TlObject, fields: readonly (readonly [string, Argument])[], name: string): number {
  const set = fields.filter(
    ([field, argument]) => argument.isFlag && argument.flagName === name && isPresent(Reflect.get(object, field), argument),
  );
  return set.reduce((flags, [, { flagIndex }]) => flags | (1 << flagIndex), 0) >>> 0;
}

/** As in GramJS, an optional Bool may be present and false. */
function isPresent(value: unknown, { type }: Argument): boolean {
  return value !== undefined && value !== null && (value !== false || type === "Bool");
}

function putVector(parts: Buffer[], value: unknown, argument: Argument, layer: number): void {
  if (!Array.isArray(value)) throw new TypeError("no list where one belongs");
  if (argument.useVectorId) parts.push(word(vectorId));
  parts.push(word(value.length));
  for (const item of value) putValue(parts, item, argument, layer);
}

function putValue(parts: Buffer[], value: unknown, { type }: Argument, layer: number): void {
  if (typeof value === "boolean") parts.push(word(value ? trueId : falseId));
  else if (typeof value === "string" || Buffer.isBuffer(value)) parts.push(serializeBytes(value));
  else if (type === "long") parts.push(toSignedLittleBuffer(bigInt(String(value)), 8));
  else if (type === "int" && typeof value === "number") parts.push(word(value >>> 0));
  else if (type === "double" && typeof value === "number") parts.push(double(value));
  else if (isTlObject(value)) put(parts, value, layer);
  else throw new TypeError(`no ${type ?? "value"} where one belongs`);
}

function isTlObject(value: unknown): value is TlObject {
  return typeof value === "object" && value !== null && "CONSTRUCTOR_ID" in value && "className" in value;
}

function word(value: number): Buffer {
  const bytes = Buffer.allocUnsafe(4);
  bytes.writeUInt32LE(value, 0);
  return bytes;
}

function double(value: number): Buffer {
  const bytes = Buffer.allocUnsafe(8);
  bytes.writeDoubleLE(value, 0);
  return bytes;
}
