import type { ToldEnd } from "./connection-end.js";

/**
 * One account's wire to its platform. It only tells: its session (`session.ts`) decides when to connect, what an end means and when the account is
 * forgotten. The session never calls two of these at once but `logOut`, which may come at any time.
 */
export interface Connector {
  /** Reads what is stored; called again until it has succeeded once. */
  load(): Promise<void>;
  /** One connection, from dialling until its sockets are gone. `signal` ends it. Resolves with how it ended. */
  connect(signal: AbortSignal): Promise<ToldEnd>;
  /** The login is over: forgets the account, and everything that the next one must not find. Durable before it resolves. */
  forget(): Promise<void>;
  /** Asks the platform to remove this device, for as long as `signal` lets it; does nothing without a connection of a logged-in account. */
  logOut(signal: AbortSignal): Promise<void>;
  /** After the last connection: resolves when nothing is being written any more. */
  finish(): Promise<void>;
}

/** What only some platforms can do. A command that needs it asks for a session of such a connector, so that a platform without it does not compile. */

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

/** What happens on the account is told to a webhook. */
export interface TellsUpdates {
  /** Resolves when what the platform has told so far is stored; while it tells nothing, at once. */
  updatesStored(signal: AbortSignal): Promise<void>;
}
