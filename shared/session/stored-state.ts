import typia from "typia";
import type { RecordTexts } from "./record-texts.js";
import type { SessionState } from "./state.js";
import { UnreadableRecord } from "./unreadable-record.js";

/** Stands for the state of a session whose data key does not open. Its owner never writes it over the stored one. */
export const unopenedState: SessionState = {
  kind: "disconnected",
  account: { generatedId: "", name: "", username: "", phone: "", picture: "" },
  elapsedMs: 0,
  unreadable: true,
};

/** Returns `undefined` if the stored text, which may have been altered or moved, is not a state of this session. */
export function openState(texts: RecordTexts, stored: Buffer | null | undefined): SessionState | undefined {
  try {
    return parseState(texts.open(stored, "state"));
  } catch (error) {
    if (!(error instanceof UnreadableRecord)) throw error;
    return error.part === "data key" ? unopenedState : undefined;
  }
}

/** Returns `undefined` if the text, which may have been altered, is not a state. */
export function parseState(text: string): SessionState | undefined {
  try {
    return parse(text) ?? undefined;
  } catch {
    return undefined;
  }
}

const parse = typia.json.createIsParse<SessionState>();
