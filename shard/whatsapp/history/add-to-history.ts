import type { ConnectorContext, UpdateEvent } from "../../session/session-context.js";

/** Adds an entry of something that has already happened. Not awaited: a missing entry does not change the outcome of a command. */
export function addToHistory({ secrets, log }: Pick<ConnectorContext, "secrets" | "log">, entry: UpdateEvent): void {
  secrets.apply(new Map(), [entry]).catch((error: unknown) => log.info({ err: error }, "entry not added to history"));
}
