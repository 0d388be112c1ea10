import bigInt, { type BigInteger } from "big-integer";
import gramHelpers from "telegram/Helpers.js";

/**
 * GramJS converts 64-bit numbers through hexadecimal text, a quarter of a shard's time on small calls; Node does it at once. Must be
 * imported before the rest of the library, whose TL classes keep the functions that they find.
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

/** The GramJS helpers that are replaced. */
export interface IntegerHelpers {
  readBigIntFromBuffer: (bytes: Buffer, little?: boolean, signed?: boolean) => BigInteger;
  toSignedLittleBuffer: (value: BigInteger | bigint | number | string, length?: number) => Buffer;
  readBufferFromBigInt: (value: BigInteger, length: number, little?: boolean, signed?: boolean) => Buffer;
}

function readLong(bytes: Uint8Array, little: boolean, signed: boolean): BigInteger {
  const view = new DataView(bytes.buffer, bytes.byteOffset, longBytes);
  return bigInt(signed ? view.getBigInt64(0, little) : view.getBigUint64(0, little));
}

/** Returns the low 64 bits in two's complement, whatever the sign, with the lowest byte first. */
function writeLong(value: BigInteger | bigint | number | string): Buffer {
  const bytes = Buffer.allocUnsafe(longBytes);
  bytes.writeBigUInt64LE(BigInt.asUintN(64, toNative(value)));
  return bytes;
}

/** Returns true for an unsigned number of 64 bits. GramJS reports what is wrong with others. */
function fits(value: BigInteger): boolean {
  const native = toNative(value);
  return native >= 0n && native < 1n << 64n;
}

/** On Node the library's numbers wrap native ones, which its types do not show. */
function toNative(value: BigInteger | bigint | number | string): bigint {
  if (typeof value !== "object") return BigInt(value);
  return "value" in value && typeof value.value === "bigint" ? value.value : BigInt(value.toString());
}
