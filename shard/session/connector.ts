import type { ReportedEnd } from "./connection-end.js";

/**
 * One account's connection to its platform. It only reports: its session (`session.ts`) decides when to connect and what an end means.
 * Only `logOut` may run beside another call.
 */
export interface Connector {
  /** True if this process cannot connect the session. No timer deletes the session meanwhile. */
  readonly isOff?: boolean;
  /** Reads what is stored; called again until it has succeeded once. */
  load(): Promise<void>;
  /** One connection, from dialling until its sockets are gone. `signal` ends it. Resolves with how it ended. */
  connect(signal: AbortSignal): Promise<ReportedEnd>;
  /** The login is over: forgets the account, and everything that the next one must not find. Durable before it resolves. */
  forget(): Promise<void>;
  /** Requests that the platform removes this device, until `signal` aborts; does nothing without a connection of a logged-in account. */
  logOut(signal: AbortSignal): Promise<void>;
  /** After the last connection: resolves when nothing is being written any more. */
  finish(): Promise<void>;
}

/** Abilities of only some platforms. A command that needs one requires such a connector, so a platform without it does not compile. */

/** A login may end in a password. */
export interface PasswordLogin {
  /** Resolves when the account is logged in and the state says so. */
  submitPassword(password: string, signal: AbortSignal): Promise<void>;
}

/** A device may be linked by a code to type instead of a QR to scan. */
export interface PairingCode {
  /** `phone` is digits. */
  pairBy(phone: string): void;
}

/** The platform reports events of the account to a webhook. */
export interface StoresUpdates {
  /** Resolves when all updates received so far are stored; at once while no connection delivers updates. */
  updatesStored(signal: AbortSignal): Promise<void>;
}
