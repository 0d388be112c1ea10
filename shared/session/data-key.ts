import type { SessionId } from "../contract/ids.js";

/** What the stored form of a session's data key is bound to. */
export const dataKeyContext = (id: SessionId): string => `v1|${id}|dk`;
