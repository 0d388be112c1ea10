import typia from "typia";
import { slotOf } from "../contract/slot.js";
import type { CommandId, SessionId } from "../contract/ids.js";
import { platforms, type Platform } from "../contract/platform.js";
import { ByteReader } from "./byte-reader.js";
import { ByteWriter } from "./byte-writer.js";
import type { Envelope, Idempotency, Outcome, Reply } from "./envelope.js";

/**
 * Encodes envelopes and replies: form number, then fixed fields, with ids and sealed parts as bytes.
 * Optional fields follow, each with a tag and a length, so that readers skip fields of later versions.
 */
export function writeEnvelope(envelope: Envelope): Buffer {
  const { id, platform, command, session, replyTo, ttl, attempt, input, requestId, traceparent, idempotency, begun } = envelope;
  const writer = new ByteWriter().byte(form).byte(numberOf[platform]).hex(id).text(command).hex(session).text(replyTo);
  writer.count(ttl).count(attempt).sized(input);
  if (requestId !== undefined) {
    if (packable.test(requestId)) writer.byte(tags.packedRequestId).hex(requestId);
    else writer.byte(tags.requestId).text(requestId);
  }
  if (traceparent !== undefined) writer.byte(tags.traceparent).text(traceparent);
  if (idempotency !== undefined) writer.byte(tags.idempotency).text(JSON.stringify(idempotency));
  if (begun === true) writer.byte(tags.begun).text("");
  return writer.done();
}

export function writeReply({ id, session, attempt = 0, outcome }: Reply): Buffer {
  const writer = new ByteWriter().byte(form).hex(id).hex(session).count(attempt);
  // Most outcomes are an output.
  if (outcome.kind === "ok" && Buffer.isBuffer(outcome.output))
    return writer
      .byte(outcome.replayed === true ? outcomes.replayedOutput : outcomes.output)
      .sized(outcome.output)
      .done();
  return writer.byte(outcomes.other).text(JSON.stringify(outcome)).done();
}

/** `undefined` for what is none, here as below. */
export function readEnvelope(bytes: Buffer): Envelope | undefined {
  return ofForm(bytes, (reader) => {
    const number = reader.byte();
    const platform = platforms.find((name) => numberOf[name] === number);
    const id = reader.hex();
    const command = reader.text();
    const session = reader.hex();
    const replyTo = reader.text();
    const ttl = reader.count();
    const attempt = reader.count();
    const input = reader.sized();
    let requestId: string | undefined;
    let traceparent: string | undefined;
    let idempotency: Idempotency | null | undefined;
    let begun = false;
    while (!reader.atEnd) {
      const tag = reader.byte();
      if (tag === tags.packedRequestId) requestId = reader.hex();
      else if (tag === tags.requestId) requestId = reader.text();
      else if (tag === tags.traceparent) traceparent = reader.text();
      else if (tag === tags.idempotency) idempotency = parseIdempotency(reader.text()) as Idempotency | null;
      else {
        begun ||= tag === tags.begun;
        reader.sized();
      }
    }
    if (platform === undefined || !isCommandId(id) || !isSessionId(session) || idempotency === null) return undefined;
    return {
      id,
      platform,
      command,
      session,
      slot: slotOf(session),
      replyTo,
      ttl,
      attempt,
      input,
      ...(requestId === undefined ? {} : { requestId }),
      ...(traceparent === undefined ? {} : { traceparent }),
      ...(idempotency === undefined ? {} : { idempotency }),
      ...(begun ? { begun } : {}),
    };
  });
}

export function readReply(bytes: Buffer): Reply | undefined {
  return ofForm(bytes, (reader) => {
    const id = reader.hex();
    const session = reader.hex();
    const attempt = reader.count();
    const kind = reader.byte();
    if (!isCommandId(id) || !isSessionId(session)) return undefined;
    if (kind === outcomes.output) return { id, session, attempt, outcome: { kind: "ok", output: reader.sized() } };
    if (kind === outcomes.replayedOutput) return { id, session, attempt, outcome: { kind: "ok", output: reader.sized(), replayed: true } };
    const outcome = kind === outcomes.other ? parseOutcome(reader.text()) : null;
    return outcome === null ? undefined : { id, session, attempt, outcome };
  });
}

const form = 1;
/** As they are stored: a number never changes, and a new platform takes the next one. */
const numberOf: Readonly<Record<Platform, number>> = { whatsapp: 0, telegram: 1 };
const tags = { packedRequestId: 1, requestId: 2, traceparent: 3, idempotency: 4, begun: 5 } as const;
const outcomes = { output: 0, replayedOutput: 1, other: 2 } as const;
/** As ours are; a caller's own id is any text. */
const packable = /^[0-9a-f]{32}$/;

const isCommandId = (digits: string): digits is CommandId => digits.length >= 16 && digits.length <= 64;
const isSessionId = (digits: string): digits is SessionId => digits.length === 24;

const parseIdempotency = typia.json.createIsParse<Omit<Idempotency, "id"> & { id: string }>();
const parseOutcome = typia.json.createIsParse<Outcome>();

function ofForm<T>(bytes: Buffer, read: (rest: ByteReader) => T | undefined): T | undefined {
  if (bytes[0] !== form) return undefined;
  try {
    return read(new ByteReader(bytes.subarray(1)));
  } catch {
    // It is cut off.
    return undefined;
  }
}
