import { randomBytes, randomUUID } from "node:crypto";

/** Database id of a session: 24 lower-case hex digits. Not secret, because it is the first part of media links. */
export type SessionId = string & { readonly __brand: "SessionId" };
/** Id of a command. A retry of the command keeps it. */
export type CommandId = string & { readonly __brand: "CommandId" };

const databaseId = /^[0-9a-f]{24}$/;

export function isSessionId(value: string): value is SessionId {
  return databaseId.test(value);
}

/** Returns an id in the form of a BSON ObjectId: 4 bytes of seconds, so that ids sort by creation time, then 8 random bytes. */
export function newSessionId(now: number): SessionId {
  const seconds = Math.floor(now / 1000)
    .toString(16)
    .padStart(8, "0");
  return (seconds + randomBytes(8).toString("hex")) as SessionId;
}

/** Returns 32 random bytes in base64url. Only their hash is stored. */
export function newSessionSecret(): string {
  return randomBytes(32).toString("base64url");
}

/** Returns 24 hex digits with 90 random bits. Node draws them for 128 ids at once, and `randomBytes` makes a system call for each id. */
export function newCommandId(): CommandId {
  return randomUUID().replaceAll("-", "").slice(0, 24) as CommandId;
}
