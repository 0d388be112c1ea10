import bigInt, { type BigInteger } from "big-integer";
import gramHelpers from "telegram/Helpers.js";

/**
 * GramJS turns the 64-bit numbers of every message (ids, salts, hashes) into hexadecimal text and then each digit into a number again: a quarter of a shard's time on small
 * calls. Node reads and writes them at once, with equal results; other lengths go GramJS's own way.
 *
 * Takes effect as it is imported, through the module object, and must be the first import of the adapter and of whatever else of the library a shard loads before it: the library's
 * TL classes keep the functions that they find when they are loaded.
 */
const helpers = gramHelpers as IntegerHelpers;
const { readBigIntFromBuffer, toSignedLittleBuffer, readBufferFromBigInt } = helpers;
const longBytes = 8;

helpers.readBigIntFromBuffer = (bytes, little = true, signed = false) =>
  bytes.length === longBytes ? readLong(bytes, little, signed) : readBigIntFromBuffer(bytes, little, signed);
helpers.toSignedLittleBuffer = (value, length = longBytes) =>
  length === longBytes ? writeLong(value) : toSignedLittleBuffer(value, length);
helpers.readBufferFromBigInt = (value, length, little = true, signed = false) =>
  little && length === longBytes && fits(value) ? writeLong(value) : readBufferFromBigInt(value, length, little, signed);

/** What is replaced of GramJS's helpers. */
export interface IntegerHelpers {
  readBigIntFromBuffer: (bytes: Buffer, little?: boolean, signed?: boolean) => BigInteger;
  toSignedLittleBuffer: (value: BigInteger | bigint | number | string, length?: number) => Buffer;
  readBufferFromBigInt: (value: BigInteger, length: number, little?: boolean, signed?: boolean) => Buffer;
}

function readLong(bytes: Uint8Array, little: boolean, signed: boolean): BigInteger {
  const view = new DataView(bytes.buffer, bytes.byteOffset, longBytes);
  return bigInt(signed ? view.getBigInt64(0, little) : view.getBigUint64(0, little));
}

/** The low 64 bits in two's complement, whatever the sign; the lowest byte first. */
function writeLong(value: BigInteger | bigint | number | string): Buffer {
  const bytes = Buffer.allocUnsafe(longBytes);
  bytes.writeBigUInt64LE(BigInt.asUintN(64, toNative(value)));
  return bytes;
}

/** A number of 64 bits without a sign; of others GramJS says what is wrong with them. */
function fits(value: BigInteger): boolean {
  const native = toNative(value);
  return native >= 0n && native < 1n << 64n;
}

/** On Node the library's numbers are native ones in a wrapper, which its types do not tell. */
function toNative(value: BigInteger | bigint | number | string): bigint {
  if (typeof value !== "object") return BigInt(value);
  return "value" in value && typeof value.value === "bigint" ? value.value : BigInt(value.toString());
}
