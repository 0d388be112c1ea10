import type { Envelope, Reply } from "./envelope.js";
import { isPacked, packEnvelope, packReply, unpackEnvelope, unpackReply } from "./envelope-bytes.js";
import { envelopeText, parseEnvelope, parseReply, replyText } from "./envelope-text.js";

/** Envelopes and replies in the form of their schema; the first byte tells which it is. */
export function writeEnvelope(envelope: Envelope): string | Buffer {
  return envelope.v === 3 ? packEnvelope(envelope) : envelopeText(envelope);
}

/** `v`: that of the envelope. */
export function writeReply(reply: Reply, v: Envelope["v"]): string | Buffer {
  return v === 3 ? packReply(reply) : replyText(reply, v);
}

/** `undefined` when the bytes are not an envelope that this version reads. */
export function readEnvelope(bytes: Buffer): Envelope | undefined {
  return isPacked(bytes) ? unpackEnvelope(bytes) : parseEnvelope(bytes.toString());
}

export function readReply(bytes: Buffer): Reply | undefined {
  return isPacked(bytes) ? unpackReply(bytes) : parseReply(bytes.toString());
}
