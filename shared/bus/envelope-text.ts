import typia, { type tags } from "typia";
import { slotOf } from "../cluster/slot.js";
import type { Outcome, Reply, TextEnvelope } from "./envelope.js";

/**
 * How envelopes and replies were written before schema 3: as an object with names in schema 1, as a list in their order in 2, half as long. What is absent at a list's end is left
 * out, and what a later version adds stands behind it.
 */
export function envelopeText(envelope: TextEnvelope): string {
  if (envelope.v === 1) return JSON.stringify(envelope);
  const { v, id, platform, command, session, replyTo, ttl, attempt, input, requestId, traceparent, idempotency } = envelope;
  return listText([v, id, platform, command, session, replyTo, ttl, attempt, input, requestId, traceparent, idempotency]);
}

/** `v`: that of the envelope. */
export function replyText({ id, session, attempt, outcome }: Reply, v: TextEnvelope["v"]): string {
  if (v === 1) return JSON.stringify({ id, session, attempt, outcome });
  // Most outcomes are an output.
  if (outcome.kind === "ok") return listText([v, id, session, attempt, outcome.output, outcome.replayed]);
  return listText([v, id, session, attempt, null, null, outcome]);
}

/** `undefined` when the text is not an envelope that this version reads. */
export function parseEnvelope(text: string): TextEnvelope | undefined {
  if (!text.startsWith("[")) return (orNull(() => parseNamed(text)) ?? undefined) as TextEnvelope | undefined;
  const list = orNull(() => parseList(text));
  if (list === null) return undefined;
  const [v, id, platform, command, session, replyTo, ttl, attempt, input, requestId, traceparent, idempotency] = list;
  const envelope = { v, id, platform, command, session, slot: slotOf(session as TextEnvelope["session"]), replyTo, ttl, attempt, input };
  return {
    ...envelope,
    ...(requestId == null ? {} : { requestId }),
    ...(traceparent == null ? {} : { traceparent }),
    ...(idempotency == null ? {} : { idempotency }),
  } as TextEnvelope;
}

export function parseReply(text: string): Reply | undefined {
  if (!text.startsWith("[")) return (orNull(() => parseNamedReply(text)) ?? undefined) as Reply | undefined;
  const list = orNull(() => parseReplyList(text));
  if (list === null) return undefined;
  const [, id, session, attempt, output, replayed, other] = list;
  const outcome = other ?? (replayed === true ? { kind: "ok", output, replayed } : { kind: "ok", output });
  return { id, session, ...(attempt != null && { attempt }), outcome } as Reply;
}

type CommandIdText = string & tags.Pattern<"^[0-9a-f]{16,64}$">;
type SessionIdText = string & tags.Pattern<"^[0-9a-f]{24}$">;
type Count = number & tags.Type<"uint32">;
interface RawIdempotency {
  id: CommandIdText;
  body: string[] & tags.MinItems<1>;
  replayOnly?: true;
}
interface NamedEnvelope extends Omit<TextEnvelope, "v" | "id" | "session" | "idempotency"> {
  v: 1;
  id: CommandIdText;
  idempotency?: RawIdempotency;
  session: SessionIdText;
}
type EnvelopeList = [
  v: 2,
  id: CommandIdText,
  platform: TextEnvelope["platform"],
  command: string,
  session: SessionIdText,
  replyTo: string,
  ttl: Count,
  attempt: Count,
  input: string,
  requestId?: string | null,
  traceparent?: string | null,
  idempotency?: RawIdempotency | null,
  ...later: unknown[],
];
interface NamedReply {
  id: string;
  session: string;
  attempt?: Count;
  outcome: Outcome;
}
type ReplyList = [
  v: 2,
  id: string,
  session: string,
  attempt: Count | null,
  output?: unknown,
  replayed?: true | null,
  other?: Outcome | null,
  ...later: unknown[],
];

const parseNamed = typia.json.createIsParse<NamedEnvelope>();
const parseList = typia.json.createIsParse<EnvelopeList>();
const parseNamedReply = typia.json.createIsParse<NamedReply>();
const parseReplyList = typia.json.createIsParse<ReplyList>();

function listText(list: unknown[]): string {
  while (list.at(-1) === undefined) list.pop();
  return JSON.stringify(list);
}

/** Text that is not JSON at all throws inside the parser. */
function orNull<T>(parse: () => T | null): T | null {
  try {
    return parse();
  } catch {
    return null;
  }
}
