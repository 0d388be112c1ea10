import type { PlannedRequest } from "./load/plan.js";

/** A server under load. */
export interface Target {
  readonly name: string;
  /** The form is `http://host:port`. */
  readonly origin: string;
  /** Returns the CPU seconds that its process has used since its start. */
  cpuSeconds(): Promise<number>;
  /** Prepares the target for its turn. */
  prepare?(): Promise<void>;
}

export interface WholeResponse {
  readonly status: number;
  /** The headers without those that the engine adds. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array;
}

export async function fetchWhole({ origin }: Pick<Target, "origin">, { path, headers }: PlannedRequest): Promise<WholeResponse> {
  const response = await fetch(`${origin}${path}`, { headers, signal: AbortSignal.timeout(60_000) });
  const own = [...response.headers].filter(([name]) => !notCompared.has(name));
  return { status: response.status, headers: Object.fromEntries(own), body: new Uint8Array(await response.arrayBuffer()) };
}

/** Rejects unless all targets send the same status, headers (unless they may differ) and bytes, because ratios would mean nothing then. */
export async function requireSameResponse(targets: readonly Target[], request: PlannedRequest, sameHeaders: boolean): Promise<void> {
  const responses = await Promise.all(targets.map((target) => fetchWhole(target, request)));
  const [wanted, ...others] = responses.map(({ status, headers, body }) => ({
    head: JSON.stringify(sameHeaders ? [status, headers] : [status]),
    body: Buffer.from(body),
  }));
  for (const { head, body } of others) {
    if (wanted === undefined || head !== wanted.head || !body.equals(wanted.body))
      throw new Error(`the targets answer differently:\n${wanted?.head}\n${head}`);
  }
}

/** Headers of the engine, and one that only the product sends and that differs in each response. */
const notCompared = new Set(["content-length", "connection", "date", "keep-alive", "x-request-id"]);
