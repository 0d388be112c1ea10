import type { SessionId } from "../contract/ids.js";

/** Returns the context that a session's stored data key is bound to. */
export const dataKeyContext = (id: SessionId): string => `v1|${id}|dk`;
