import typia from "typia";
import type { SessionState } from "./state.js";

/** `undefined` when the text, which may have been altered, is no state: not JSON, or another shape. */
export function parseState(text: string): SessionState | undefined {
  try {
    return parse(text) ?? undefined;
  } catch {
    return undefined;
  }
}

const parse = typia.json.createIsParse<SessionState>();
