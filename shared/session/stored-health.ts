import typia from "typia";
import type { RefusalKind } from "../contract/refusal-kind.js";
import type { RecordTexts } from "./record-texts.js";
import { UnreadableRecord } from "./unreadable-record.js";

/** How a platform treats an account, as its session's record stores it, sealed. */
export interface StoredHealth {
  restriction?: Restriction;
  /** Id of an event that the receiver may not have yet: of the restriction, or without one of its end. */
  unreported?: string;
  newChats?: NewChats;
  /** The newest refusals, the newest last. */
  refusals: RefusedCall[];
  /** Number of refusals by kind since the session was created. */
  counts: { [Kind in RefusalKind]?: number };
}

/** The account may not write to people who have not written to it. */
export interface Restriction {
  /** Platform id of the restricted account. Another account that logs in is not restricted. */
  account: string;
  /** `lock`: the platform locked new chats. `cap`: their number is used up. `refusal`: it refused a message and named no time. */
  cause: "lock" | "cap" | "refusal";
  /** In words. */
  reason: string;
  /** ISO 8601. */
  until: string;
}

/** How many new chats the platform lets an account begin in the current period. */
export interface NewChats {
  /** Platform id of the account. */
  account: string;
  used: number;
  cap: number;
  /** When the period ends, ISO 8601; empty if the platform did not name it. */
  resets: string;
}

/** One call that the platform refused. */
export interface RefusedCall {
  kind: RefusalKind;
  /** The caller's error, which has the platform's code. */
  message: string;
  /** ISO 8601. */
  at: string;
}

export const goodHealth: StoredHealth = { refusals: [], counts: {} };

/** Returns the stored health. If it does not open, the platform reports a restriction again with the next refusal. */
export function openHealth(texts: RecordTexts, stored: Buffer | null | undefined): StoredHealth {
  try {
    const text = texts.open(stored, "health");
    return text === "" ? goodHealth : parseHealth(text);
  } catch (error) {
    if (!(error instanceof UnreadableRecord)) throw error;
    return goodHealth;
  }
}

/** A text that is not in this form, which may have been altered, is no health. */
export function parseHealth(text: string): StoredHealth {
  try {
    return parse(text) ?? goodHealth;
  } catch {
    return goodHealth;
  }
}

const parse = typia.json.createIsParse<StoredHealth>();
