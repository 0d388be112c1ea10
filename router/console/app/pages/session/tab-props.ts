import type { SessionRecord } from "../../../../../shared/contract/session.js";
import type { SessionRow } from "../../api/rows.js";
import type { SessionName } from "../../api/session-call.js";
import type { StateChange } from "./activity.js";

/** Variant A's record also has a pairing code. */
export type ShownRecord = SessionRecord & { readonly pairingCode?: string };

/** Props of a tab of the session page. */
export interface TabProps {
  readonly session: SessionName;
  readonly row: SessionRow;
  /** `GET /session`; `undefined` for a key that may not use the session. */
  readonly record: ShownRecord | undefined;
  /** States that this page has seen, the newest first. */
  readonly states: readonly StateChange[];
  /** Reads row and record again. */
  readonly reload: () => void;
  /** Chat id on the page of one chat. */
  readonly chat: string | undefined;
  readonly query: Readonly<Record<string, string>>;
}
