import type { Socket } from "node:net";
import type { Api, TelegramClient } from "telegram";
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
  /** Every call, before it is sent, with the answer that it will get. */
  readonly onCall: (request: Api.AnyRequest, answer: Promise<unknown>) => void;
  /** Something speaks against the login: ask the home data centre. */
  readonly onDoubt: () => void;
  /** The platform asked to wait, and that is done here, or the call's own end comes first or is told. */
  readonly onFlood?: (seconds: number, isWaitedOut: boolean) => void;
  /** Called with each socket before anything is read from it. */
  readonly onSocket?: (socket: Socket) => void;
  readonly onBytes?: (count: number) => void;
}

export interface CallOptions {
  readonly signal: AbortSignal;
  /** Milliseconds, flood waits included. */
  readonly deadlineMs?: number;
  /** Milliseconds until the command's own deadline: flood waits may take so long, and `deadlineMs` is that of each try. */
  readonly leftMs?: () => number;
  /** False: the call is not repeated after the platform's own trouble. */
  readonly repeatable?: boolean;
  /** False: a wait that the platform asks for comes back at once, however short. */
  readonly patient?: boolean;
  /**
   * For what the platform takes only once under its random id: the request goes out again when its answer has not come for `afterMs`, then after
   * twice as long, and so on until the deadline. `onRepeat` is told before each repeat.
   */
  readonly again?: { readonly afterMs: number; readonly onRepeat: () => void };
}

/** In whose time somebody is looked up. */
export type Lookup = Pick<CallOptions, "signal" | "leftMs">;
