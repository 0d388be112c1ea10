/** The two ways in which clients pad the first secret of a key exchange before they encrypt it with the server's key. */
import { readObject, type TlObject } from "../messages/tl-reader.js";
import { ProtocolViolation } from "../violation.js";
import { sha1, sha256 } from "./digest.js";
import { decryptIge } from "./ige.js";

/** Throws a `ProtocolViolation` for what is padded in neither way. */
export function readInnerData(plain: Buffer): TlObject {
  const data = unpadded(plain);
  if (data) return readObject(data).object;
  // SHA-1, data and random bytes, 255 together: the number begins with a zero. One RSA_PAD block in 256 does too, so this comes second.
  const { object, end } = readObject(plain.subarray(21));
  if (plain[0] !== 0 || !sha1(plain.subarray(21, 21 + end)).equals(plain.subarray(1, 21)))
    throw new ProtocolViolation("padded data with a wrong hash");
  return object;
}

/** Undoes RSA_PAD: the 192 bytes that the client padded its inner data to, or undefined when their hash is wrong. */
function unpadded(plain: Buffer): Buffer | undefined {
  const envelope = plain.subarray(32);
  const temporaryKey = Buffer.from(plain.subarray(0, 32));
  const mask = sha256(envelope);
  for (let i = 0; i < 32; i += 1) temporaryKey.writeUInt8(temporaryKey.readUInt8(i) ^ mask.readUInt8(i), i);
  const opened = decryptIge(temporaryKey, Buffer.alloc(32), envelope);
  const data = Buffer.from(opened.subarray(0, 192)).reverse();
  return sha256(temporaryKey, data).equals(opened.subarray(192)) ? data : undefined;
}
