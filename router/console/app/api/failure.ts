/** Error of a call, with the API's own message. `status` 0: there was no response. */
export class ApiFailure extends Error {
  override readonly name = "ApiFailure";
  constructor(
    readonly status: number,
    message: string,
    readonly retryAfterSeconds?: number,
    /** The `x-request-id` of the response; empty without one. */
    readonly requestId = "",
  ) {
    super(message);
  }
}

/** Returns the failure in an unsuccessful response. A body that is not our JSON comes from a proxy in between. */
export function failureOf(status: number, text: string, retryAfter: string | null, requestId: string | null = null): ApiFailure {
  const seconds = Number(retryAfter ?? Number.NaN);
  return new ApiFailure(
    status,
    sentenceIn(text) ?? `Unexpected response (${status}).`,
    Number.isFinite(seconds) ? seconds : undefined,
    requestId ?? "",
  );
}

/** Makes a sentence of the API's message, which has no capital and no period. Pure. */
export function sentenceOf(message: string): string {
  const text = message.charAt(0).toUpperCase() + message.slice(1);
  return text.endsWith(".") ? text : `${text}.`;
}

/** Turns anything thrown into a failure that can be shown. */
export function asFailure(error: unknown): ApiFailure {
  return error instanceof ApiFailure ? error : new ApiFailure(0, error instanceof Error ? error.message : String(error));
}

function sentenceIn(text: string): string | undefined {
  try {
    const { message }: { message?: unknown } = Object(JSON.parse(text)) as object;
    return typeof message === "string" && message !== "" ? message : undefined;
  } catch {
    return undefined; // Not ours: it has no sentence for people.
  }
}

/** The API's sentences, each beside the field that it begins with; `""` has those that speak of none of them. */
export function faultsByField(message: string, fields: readonly string[]): ReadonlyMap<string, string> {
  const faults = new Map<string, string>();
  for (const line of message.split("\n")) {
    const field = fields.find((name) => line === name || line.startsWith(`${name} `)) ?? "";
    const before = faults.get(field);
    faults.set(field, before === undefined ? line : `${before}\n${line}`);
  }
  return faults;
}
