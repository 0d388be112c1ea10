import type { UpdateEvent } from "../../session/session-context.js";

/** Type of an entry that takes another entry back. No receiver gets it. */
export const takenBackType = "message.taken-back";

/** Returns the entry that removes an entry from the history, because the platform refused its message. */
export function takenBack({ id, created }: UpdateEvent): UpdateEvent {
  return { id: `${id}-taken-back`, type: takenBackType, created, data: { id }, to: "history" };
}
