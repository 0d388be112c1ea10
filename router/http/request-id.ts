import { randomFillSync } from "node:crypto";

/**
 * Under which a request is found in answers, logs and the audit: the caller's `x-request-id`, else the trace that its `traceparent` names, else 128 random bits of ours.
 * A caller's is printable ASCII without blanks, 128 characters at most, so that it can break neither a header nor a log line; any other is replaced.
 */
export function requestIdOf(named: string | undefined, traceparent: string | undefined): string {
  if (named !== undefined && /^[\x21-\x7e]{1,128}$/.test(named)) return named;
  return traceOf(traceparent) ?? newRequestId();
}

/** W3C Trace Context: later versions may say more behind the flags, all zeros are no id. */
function traceOf(traceparent: string | undefined): string | undefined {
  if (traceparent === undefined) return undefined;
  const [, version, trace, span, rest] = /^([0-9a-f]{2})-([0-9a-f]{32})-([0-9a-f]{16})-[0-9a-f]{2}(-.*)?$/.exec(traceparent) ?? [];
  if (version === undefined || version === "ff" || (version === "00" && rest !== undefined)) return undefined;
  return trace === noTrace || span === noSpan ? undefined : trace;
}

const noTrace = "0".repeat(32);
const noSpan = "0".repeat(16);

/** Random bytes come in packets: every request needs some, and each call costs more than its bytes. */
const idBytes = 16;
const random = Buffer.alloc(256 * idBytes);
let used = random.length;

function newRequestId(): string {
  if (used === random.length) used = randomFillSync(random).length - random.length;
  used += idBytes;
  return random.toString("hex", used - idBytes, used);
}
