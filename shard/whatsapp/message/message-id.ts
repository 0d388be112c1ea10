import { createHash } from "node:crypto";

/** The platform's form, and the same for every repeat of a command, so that a repeat is the same message. */
export function messageIdOf(sessionId: string, commandId: string): string {
  const digest = createHash("sha256").update(`wa|${sessionId}|${commandId}`).digest("hex");
  return `3EB0${digest.slice(0, 18)}`.toUpperCase();
}
