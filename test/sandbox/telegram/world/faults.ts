import { RpcFault } from "../rpc.js";
import { methodName } from "./call-counts.js";

export const faultKinds = ["flood-wait", "error", "delay", "stall", "drop", "refuse", "logout", "replaced", "lost-ack", "expired-reference", "gap"] as const;
export type FaultKind = (typeof faultKinds)[number];

/** A fault as the control API orders it; fields left out match everything. */
export interface Fault {
  readonly kind: FaultKind;
  readonly account: string | undefined;
  /** "upload.getFile". */
  readonly method: string | undefined;
  readonly seconds: number | undefined;
  /** "CHAT_WRITE_FORBIDDEN", or with its code: "403 CHAT_WRITE_FORBIDDEN". */
  readonly error: string | undefined;
  readonly times: number | undefined;
}

interface Armed {
  readonly fault: Fault;
  left: number;
  readonly until: number;
}

const maxArmed = 1_000;

/** Codes of errors that are not plain 400. */
const codes: Readonly<Record<string, number>> = {
  CHAT_WRITE_FORBIDDEN: 403,
  PRIVACY_PREMIUM_REQUIRED: 406,
  AUTH_KEY_DUPLICATED: 406,
  AUTH_KEY_UNREGISTERED: 401,
  SESSION_REVOKED: 401,
  SESSION_EXPIRED: 401,
  USER_DEACTIVATED: 401,
  USER_DEACTIVATED_BAN: 401,
  RANDOM_ID_DUPLICATE: 500,
  RPC_CALL_FAIL: 500,
  INTERNAL: 500,
};

/** Faults that wait for their call. Those that act at once (logout, replaced) never come here. */
export class Faults {
  private armed: Armed[] = [];

  /**
   * `stall` and `refuse` are states: they hold for `seconds`, or until they are cleared. `gap` swallows the pushes of that many `seconds`,
   * or one. `delay` holds until it is cleared, as its `seconds` say how long each call waits. The rest acts once. `times` limits them all.
   */
  arm(fault: Fault): void {
    const { kind, seconds, times } = fault;
    const isState = kind === "stall" || kind === "refuse";
    const isTimed = (isState || kind === "gap") && seconds !== undefined;
    const until = isTimed ? Date.now() + seconds * 1000 : Number.POSITIVE_INFINITY;
    const unlimited = isState || isTimed || kind === "delay";
    this.armed.push({ fault, left: times ?? (unlimited ? Number.POSITIVE_INFINITY : 1), until });
    if (this.armed.length > maxArmed) this.armed.shift();
  }

  clear(): void {
    this.armed = [];
  }

  /** The first fault of these kinds that matches; it is used up by one. */
  take(kinds: readonly FaultKind[], account: string | undefined, className: string | undefined): Fault | undefined {
    if (this.armed.length === 0) return undefined;
    const method = className === undefined ? undefined : methodName(className).toLowerCase();
    const found = this.live().find(({ fault }) => isMeant(fault, kinds, account) && (fault.method === undefined || method === undefined || fault.method.toLowerCase() === method));
    if (found !== undefined) found.left--;
    return found?.fault;
  }

  /** Like `take`, but only for faults that name the method. */
  takeNamed(kind: FaultKind, account: string | undefined, method: string): Fault | undefined {
    const found = this.live().find(({ fault }) => isMeant(fault, [kind], account) && fault.method?.toLowerCase() === method);
    if (found !== undefined) found.left--;
    return found?.fault;
  }

  /** Whether a fault holds for everything that the account does; looking does not use it up. */
  holds(kind: FaultKind, account: string | undefined): boolean {
    return this.armed.length > 0 && this.live().some(({ fault }) => fault.method === undefined && isMeant(fault, [kind], account));
  }

  private live(): Armed[] {
    const now = Date.now();
    this.armed = this.armed.filter(({ left, until }) => left > 0 && until > now);
    return this.armed;
  }
}

function isMeant(fault: Fault, kinds: readonly FaultKind[], account: string | undefined): boolean {
  return kinds.includes(fault.kind) && (fault.account === undefined || fault.account === account);
}

/** The `rpc_error` that a fault of kind "flood-wait" or "error" stands for. */
export function faultError({ kind, error, seconds }: Fault): RpcFault {
  if (kind === "flood-wait") return new RpcFault(420, error ?? `FLOOD_WAIT_${seconds ?? 30}`);
  const match = /^(?:(-?\d+)[: ]+)?([A-Z0-9_%]+)$/.exec(error ?? "INTERNAL");
  const named = (match?.[2] ?? "INTERNAL").replace(/%d$|_N$|_X$/, (end) => (end === "%d" ? "" : "_") + String(seconds ?? 30));
  const code = match?.[1] === undefined ? codeOf(named) : Number(match[1]);
  return new RpcFault(code, named);
}

function codeOf(error: string): number {
  if (/^(FLOOD|FLOOD_PREMIUM|SLOWMODE|FLOOD_TEST_PHONE|MSG)_WAIT_\d+$/.test(error)) return 420;
  if (/_MIGRATE_\d+$/.test(error)) return 303;
  return codes[error] ?? 400;
}
