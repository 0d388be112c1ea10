import { createHash } from "node:crypto";

/** Returns a message id in the platform's form. Every repeat of a command gets the same id, so recipients see one message. */
export function messageIdOf(sessionId: string, commandId: string): string {
  const digest = createHash("sha256").update(`wa|${sessionId}|${commandId}`).digest("hex");
  return `3EB0${digest.slice(0, 18)}`.toUpperCase();
}
