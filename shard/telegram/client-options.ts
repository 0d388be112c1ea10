import type { Socket } from "node:net";
import type { Api, TelegramClient } from "telegram";
import type { Ending } from "../../shared/flow/ending.js";
import type { Route } from "../egress/egress.js";
import type { Fence } from "../session/session-context.js";
import type { AuthStore } from "./auth-store.js";
import type { TelegramDevice } from "./network/init-connection.js";
import type { TelegramTiming } from "./timing.js";

export interface ClientOptions {
  readonly apiId: number;
  readonly device: TelegramDevice;
  readonly owner: TelegramClient;
  readonly auth: AuthStore;
  readonly fence: Fence;
  readonly dcMap: ReadonlyMap<string, string>;
  readonly route: Route;
  readonly timing: TelegramTiming;
  readonly onUpdate: (update: Api.TypeUpdates) => void;
  /** Called with each call before it is sent, and with the promise of its reply. */
  readonly onCall: (request: Api.AnyRequest, reply: Promise<unknown>) => void;
  /** Called when an error casts doubt on the login, so that the owner checks the login at the home data centre. */
  readonly onDoubt: () => void;
  /** Called on each flood wait. `isWaitedOut` is false when the error goes to the caller instead. */
  readonly onFlood?: (seconds: number, isWaitedOut: boolean) => void;
  /** Called with each socket before anything is read from it. */
  readonly onSocket?: (socket: Socket) => void;
  readonly onBytes?: (count: number) => void;
}

export interface CallOptions {
  readonly signal: Ending;
  /** Deadline in milliseconds, flood waits included. */
  readonly deadlineMs?: number;
  /** Milliseconds until the command's own deadline. With this set, flood waits may last until then, and `deadlineMs` limits each try. */
  readonly leftMs?: () => number;
  /** False: the call is not retried after a fault of the platform's servers. */
  readonly repeatable?: boolean;
  /** False: a flood wait is returned as an error at once, however short. */
  readonly waitOutFloods?: boolean;
  /**
   * For requests that the platform accepts once per random id, or that no other request follows: resends without a reply after `afterMs`,
   * then after twice that, and so on until the deadline. Calls `onRepeat` before each resend.
   */
  readonly again?: { readonly afterMs: number; readonly onRepeat: () => void };
}

/** The signal and deadline under which a person or chat is resolved. */
export type Lookup = Pick<CallOptions, "signal" | "leftMs">;
