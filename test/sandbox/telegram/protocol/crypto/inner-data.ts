/** The two paddings that clients use before they encrypt the first secret of a key exchange with the server's key. */
import { readObject, type TlObject } from "../messages/tl-reader.js";
import { ProtocolViolation } from "../violation.js";
import { sha1, sha256 } from "./digest.js";
import { decryptIge } from "./ige.js";

/** Throws a `ProtocolViolation` if neither padding matches. */
export function readInnerData(plain: Buffer): TlObject {
  const data = unpadded(plain);
  if (data) return readObject(data).object;
  // SHA-1, data and random bytes (255 in total) with a leading zero byte. One RSA_PAD block in 256 also starts with zero, so this check
  // comes second.
  const { object, end } = readObject(plain.subarray(21));
  if (plain[0] !== 0 || !sha1(plain.subarray(21, 21 + end)).equals(plain.subarray(1, 21)))
    throw new ProtocolViolation("padded data with a wrong hash");
  return object;
}

/** Removes RSA_PAD. Returns the 192 bytes of padded inner data, or undefined if their hash is wrong. */
function unpadded(plain: Buffer): Buffer | undefined {
  const envelope = plain.subarray(32);
  const temporaryKey = Buffer.from(plain.subarray(0, 32));
  const mask = sha256(envelope);
  for (let i = 0; i < 32; i += 1) temporaryKey.writeUInt8(temporaryKey.readUInt8(i) ^ mask.readUInt8(i), i);
  const opened = decryptIge(temporaryKey, Buffer.alloc(32), envelope);
  const data = Buffer.from(opened.subarray(0, 192)).reverse();
  return sha256(temporaryKey, data).equals(opened.subarray(192)) ? data : undefined;
}
