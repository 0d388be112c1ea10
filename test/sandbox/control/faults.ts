import { setTimeout as sleep } from "node:timers/promises";
import type { Fields } from "./fields.js";

/** Fault kinds that every platform supports. Each platform adds its own. */
export const commonFaultKinds = [
  "flood-wait",
  "error",
  "delay",
  "stall",
  "drop",
  "refuse",
  "logout",
  "replaced",
  "lost-ack",
  "expired-reference",
  "gap",
  "restricted",
] as const;

/** A fault as ordered through the control API. An omitted field matches everything. */
export interface Fault<Kind extends string> {
  readonly kind: Kind;
  readonly account: string | undefined;
  /** A method name or a kind of stanza, depending on the platform. */
  readonly method: string | undefined;
  readonly seconds: number | undefined;
  /** The platform's error text, with or without a code. */
  readonly error: string | undefined;
  readonly times: number | undefined;
}

export function readFault<Kind extends string>(fields: Fields, kinds: readonly Kind[]): Fault<Kind> {
  return {
    kind: fields.oneOf("kind", kinds),
    account: fields.optionalText("account"),
    method: fields.optionalText("method"),
    seconds: fields.optionalNumber("seconds"),
    error: fields.optionalText("error"),
    times: fields.optionalCount("times"),
  };
}

interface Armed<Kind extends string> {
  readonly fault: Fault<Kind>;
  left: number;
  readonly until: number;
}

const maxArmed = 1_000;
const states: ReadonlySet<string> = new Set(["stall", "refuse", "outdated", "restricted"]);

export interface FaultsOptions<Kind extends string> {
  /** Kinds that affect pushed updates: the next one, or all of them for `seconds`. */
  readonly pushKinds: readonly Kind[];
  /** Returns whether a fault's `method` matches this call. */
  readonly isMethod: (wanted: string, method: string) => boolean;
}

/** Queue of faults until a matching call arrives. Faults that act at once (logout, replaced) are never queued. */
export class Faults<Kind extends string> {
  private armed: Armed<Kind>[] = [];
  private cleared = new AbortController();

  constructor(private readonly options: FaultsOptions<Kind>) {}

  /**
   * `stall`, `refuse`, `outdated` and `restricted` last for `seconds` or until cleared, push faults for `seconds` or one push. `delay`
   * lasts until cleared: its `seconds` limit the wait of one call. Other kinds act once.
   */
  arm(fault: Fault<Kind>): void {
    const { kind, seconds, times } = fault;
    const isState = states.has(kind);
    const isTimed = (isState || this.options.pushKinds.includes(kind)) && seconds !== undefined;
    const until = isTimed ? Date.now() + seconds * 1_000 : Number.POSITIVE_INFINITY;
    const unlimited = isState || isTimed || kind === "delay";
    this.armed.push({ fault, left: times ?? (unlimited ? Number.POSITIVE_INFINITY : 1), until });
    if (this.armed.length > maxArmed) this.armed.shift();
  }

  /** Also ends the wait of every call in `pause`. */
  clear(): void {
    this.armed = [];
    this.cleared.abort();
    this.cleared = new AbortController();
  }

  /** Waits as a `delay` fault demands: for `ms`, or until the faults are cleared. Rejects when `signal` aborts first. */
  async pause(ms: number, signal?: AbortSignal): Promise<void> {
    const { signal: cleared } = this.cleared;
    const ended = new AbortController();
    const end = (): void => ended.abort();
    for (const source of [cleared, signal]) source?.addEventListener("abort", end, { once: true });
    try {
      signal?.throwIfAborted();
      await sleep(ms, undefined, { signal: ended.signal, ref: false });
    } catch (error) {
      if (!cleared.aborted) throw error;
    } finally {
      for (const source of [cleared, signal]) source?.removeEventListener("abort", end);
    }
  }

  /** Returns the first matching fault and uses it up by one. A call without a method matches every fault. */
  take(kinds: readonly Kind[], account: string | undefined, method: string | undefined): Fault<Kind> | undefined {
    return this.use(
      ({ fault }) =>
        isMeant(fault, kinds, account) &&
        (fault.method === undefined || method === undefined || this.options.isMethod(fault.method, method)),
    );
  }

  /** Like `take`, but skips faults without a method. */
  takeNamed(kind: Kind, account: string | undefined, method: string): Fault<Kind> | undefined {
    return this.use(
      ({ fault }) => fault.method !== undefined && isMeant(fault, [kind], account) && this.options.isMethod(fault.method, method),
    );
  }

  /** Returns a fault that applies to every call of the account. Reading it does not use it up. */
  holding(kind: Kind, account: string | undefined): Fault<Kind> | undefined {
    if (this.armed.length === 0) return undefined;
    return this.live().find(({ fault }) => fault.method === undefined && isMeant(fault, [kind], account))?.fault;
  }

  /** Returns when a fault that applies to every call of the account ends, in Unix ms; `Infinity` until it is cleared. */
  endOf(kind: Kind, account: string): number {
    return this.live().find(({ fault }) => fault.method === undefined && isMeant(fault, [kind], account))?.until ?? Date.now();
  }

  private use(matches: (armed: Armed<Kind>) => boolean): Fault<Kind> | undefined {
    if (this.armed.length === 0) return undefined;
    const found = this.live().find(matches);
    if (found !== undefined) found.left--;
    return found?.fault;
  }

  private live(): Armed<Kind>[] {
    const now = Date.now();
    this.armed = this.armed.filter(({ left, until }) => left > 0 && until > now);
    return this.armed;
  }
}

function isMeant<Kind extends string>(fault: Fault<Kind>, kinds: readonly Kind[], account: string | undefined): boolean {
  return kinds.includes(fault.kind) && (fault.account === undefined || fault.account === account);
}
