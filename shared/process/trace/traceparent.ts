/** Content of a `traceparent` header (W3C Trace Context): the trace, the parent span, and whether the trace is recorded. */
export interface TraceParent {
  /** 32 and 16 hex digits. */
  readonly traceId: string;
  readonly spanId: string;
  readonly sampled: boolean;
}

/** `undefined` for a text that is none. Later versions may say more behind the flags, all zeros are no id. */
export function parseTraceparent(text: string | undefined): TraceParent | undefined {
  if (text === undefined) return undefined;
  const [, version, traceId, spanId, flags, rest] = /^([0-9a-f]{2})-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})(-.*)?$/.exec(text) ?? [];
  if (traceId === undefined || spanId === undefined || version === "ff" || (version === "00" && rest !== undefined)) return undefined;
  if (traceId === noTrace || spanId === noSpan) return undefined;
  return { traceId, spanId, sampled: (Number.parseInt(flags ?? "", 16) & 1) === 1 };
}

export function formatTraceparent({ traceId, spanId, sampled }: TraceParent): string {
  return `00-${traceId}-${spanId}-${sampled ? "01" : "00"}`;
}

export function isTraceId(text: string): boolean {
  return /^[0-9a-f]{32}$/.test(text) && text !== noTrace;
}

const noTrace = "0".repeat(32);
const noSpan = "0".repeat(16);
