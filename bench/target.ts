import type { PlannedRequest } from "./load/plan.js";

/** A server under load. */
export interface Target {
  readonly name: string;
  /** `http://host:port` */
  readonly origin: string;
  /** CPU that its process has used since it started. */
  cpuSeconds(): Promise<number>;
  /** What must be done before its turn. */
  prepare?(): Promise<void>;
}

export interface WholeAnswer {
  readonly status: number;
  /** Without those that the engine writes by itself. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array;
}

export async function fetchWhole({ origin }: Pick<Target, "origin">, { path, headers }: PlannedRequest): Promise<WholeAnswer> {
  const response = await fetch(`${origin}${path}`, { headers, signal: AbortSignal.timeout(60_000) });
  const own = [...response.headers].filter(([name]) => !notCompared.has(name));
  return { status: response.status, headers: Object.fromEntries(own), body: new Uint8Array(await response.arrayBuffer()) };
}

/** A ratio means something only between servers that send the same: status, headers (unless they may differ), every byte. */
export async function requireSameAnswer(targets: readonly Target[], request: PlannedRequest, sameHeaders: boolean): Promise<void> {
  const answers = await Promise.all(targets.map((target) => fetchWhole(target, request)));
  const [wanted, ...others] = answers.map(({ status, headers, body }) => ({
    head: JSON.stringify(sameHeaders ? [status, headers] : [status]),
    body: Buffer.from(body),
  }));
  for (const { head, body } of others) {
    if (wanted === undefined || head !== wanted.head || !body.equals(wanted.body))
      throw new Error(`the targets answer differently:\n${wanted?.head}\n${head}`);
  }
}

/** Of the engine; and another with each answer, which our side alone sends. */
const notCompared = new Set(["content-length", "connection", "date", "keep-alive", "x-request-id"]);
