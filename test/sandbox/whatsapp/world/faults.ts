import { IqFault, type DisconnectKind } from "../whatsapp-backend.js";

export const faultKinds = ["flood-wait", "error", "delay", "stall", "drop", "refuse", "logout", "replaced", "lost-ack", "expired-reference", "gap", "close"] as const;
export type FaultKind = (typeof faultKinds)[number];

/** A fault as the control API orders it; fields left out match everything. */
export interface Fault {
  readonly kind: FaultKind;
  readonly account: string | undefined;
  /** A stanza's kind ("message", "iq w:g2 query", "login") or its beginning ("iq w:g2", "iq"); "upload" for the media server. */
  readonly method: string | undefined;
  readonly seconds: number | undefined;
  /** Code of the answer, as "479" or "404 item-not-found"; the close code for `close` and `refuse`. */
  readonly error: string | undefined;
  readonly times: number | undefined;
}

interface Armed {
  readonly fault: Fault;
  left: number;
  readonly until: number;
}

const maxArmed = 1_000;

/** How the server brings about each close code of the library. */
const closings: Readonly<Record<string, DisconnectKind>> = { "401": "device-removed", "408": "silent", "411": "downgrade", "428": "end", "440": "replaced", "500": "malformed", "503": "overloaded", "515": "restart" };

/** Faults that wait for their stanza. Those that act at once (logout, replaced) never come here. */
export class Faults {
  private armed: Armed[] = [];

  /**
   * `stall` and `refuse` are states: they hold for `seconds`, or until they are cleared. `gap` swallows the pushes of that many `seconds`,
   * or one. `delay` holds until it is cleared, as its `seconds` say how long each stanza waits. The rest acts once. `times` limits them all.
   */
  arm(fault: Fault): void {
    const { kind, seconds, times } = fault;
    const isState = kind === "stall" || kind === "refuse";
    const isTimed = (isState || kind === "gap") && seconds !== undefined;
    const until = isTimed ? Date.now() + seconds * 1_000 : Number.POSITIVE_INFINITY;
    const unlimited = isState || isTimed || kind === "delay";
    this.armed.push({ fault, left: times ?? (unlimited ? Number.POSITIVE_INFINITY : 1), until });
    if (this.armed.length > maxArmed) this.armed.shift();
  }

  clear(): void {
    this.armed = [];
  }

  /** The first fault of these kinds that matches; it is used up by one. */
  take(kinds: readonly FaultKind[], account: string | undefined, method: string): Fault | undefined {
    if (this.armed.length === 0) return undefined;
    const found = this.live().find(({ fault }) => isMeant(fault, kinds, account) && namesMethod(fault, method));
    if (found !== undefined) found.left--;
    return found?.fault;
  }

  /** Like `take`, but only for faults that name the method. */
  takeNamed(kind: FaultKind, account: string | undefined, method: string): Fault | undefined {
    if (this.armed.length === 0) return undefined;
    const found = this.live().find(({ fault }) => fault.method !== undefined && isMeant(fault, [kind], account) && namesMethod(fault, method));
    if (found !== undefined) found.left--;
    return found?.fault;
  }

  /** A fault that holds for everything that the account does; looking does not use it up. */
  holding(kind: FaultKind, account: string | undefined): Fault | undefined {
    if (this.armed.length === 0) return undefined;
    return this.live().find(({ fault }) => fault.method === undefined && isMeant(fault, [kind], account))?.fault;
  }

  private live(): Armed[] {
    const now = Date.now();
    this.armed = this.armed.filter(({ left, until }) => left > 0 && until > now);
    return this.armed;
  }
}

/** What the client is answered for a fault of kind "flood-wait" or "error". */
export function faultError({ kind, error }: Fault): IqFault {
  if (kind === "flood-wait") return new IqFault(429, "rate-overlimit");
  const match = /^(\d{3})(?:[: ]+(.+))?$/.exec(error ?? "");
  return match === null ? new IqFault(500, error ?? "internal-server-error") : new IqFault(Number(match[1]), match[2] ?? "error");
}

/** How to end a connection so that the library reports this close code; `undefined` when it is none. */
export function closing(error: string | undefined): DisconnectKind | undefined {
  if (error === undefined || !/^\d{3}$/.test(error)) return undefined;
  return closings[error] ?? Number(error);
}

function isMeant(fault: Fault, kinds: readonly FaultKind[], account: string | undefined): boolean {
  return kinds.includes(fault.kind) && (fault.account === undefined || fault.account === account);
}

function namesMethod({ method }: Fault, kind: string): boolean {
  return method === undefined || kind === method || kind.startsWith(`${method} `);
}
