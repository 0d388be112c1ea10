import { createHash } from "node:crypto";
import { describe, expect, it } from "vitest";
import { authenticate, requireActive, type SessionPort } from "../../../../router/endpoint/authenticate.js";
import { readApiKeys } from "../../../../shared/config/api-key-list.js";
import { ApiKeys } from "../../../../router/endpoint/api-keys.js";
import { newSessionId, newSessionSecret } from "../../../../shared/contract/ids.js";
import type { StoredSession } from "../../../../router/session/session-reader.js";
import { aRequest, aSession } from "../support.js";

const id = newSessionId(Date.now());
const secret = newSessionSecret();
const secretHash = createHash("sha256").update(secret).digest("hex");

function sessionsWith(session: StoredSession | undefined, later: StoredSession | undefined = session): SessionPort & { reads: string[] } {
  const reads: string[] = [];
  return {
    reads,
    read: (_, wanted) => (reads.push(wanted), Promise.resolve(session?.id === wanted ? session : undefined)),
    waitActive: () => Promise.resolve(later),
  };
}

const known = aSession({ id, secretHash });

describe("authenticate", () => {
  it("gives the session and the caller's own secret", async () => {
    expect(await authenticate(sessionsWith(known), "telegram", aRequest({ id, "session-id": secret }))).toEqual({ session: known, secret });
  });

  it.each<[string, Record<string, string | string[]>]>([
    ["nothing", {}],
    ["no session-id", { id }],
    ["no id", { "session-id": secret }],
    ["an empty id", { id: "", "session-id": secret }],
    ["an empty session-id", { id, "session-id": "" }],
    ["an id over 128 bytes", { id: "a".repeat(129), "session-id": secret }],
    ["a session-id over 128 bytes", { id, "session-id": "\u00e9".repeat(65) }],
    ["a repeated id", { id: [id, id], "session-id": secret }],
    ["a repeated session-id", { id, "session-id": [secret, "x"] }],
  ])("answers 400 to %s", async (_, headers) => {
    const sessions = sessionsWith(known);
    await expect(authenticate(sessions, "telegram", aRequest(headers))).rejects.toMatchObject({ status: 400, message: "invalid header" });
    expect(sessions.reads).toEqual([]);
  });

  it.each<[string, Record<string, string>, StoredSession | undefined]>([
    ["a wrong session-id", { id, "session-id": newSessionSecret() }, known],
    ["an id that nobody has", { id: newSessionId(Date.now()), "session-id": secret }, known],
    ["an id of another shape", { id: "../../etc", "session-id": secret }, known],
    ["an id of 128 bytes", { id: "a".repeat(128), "session-id": secret }, known],
    ["a deleted session", { id, "session-id": secret }, { ...known, state: { kind: "deleted", reason: "owner" } }],
    ["a stored hash that is none", { id, "session-id": secret }, { ...known, secretHash: "" }],
  ])("answers 404 to %s", async (_, headers, session) => {
    await expect(authenticate(sessionsWith(session), "telegram", aRequest(headers))).rejects.toMatchObject({
      status: 404,
      message: "session not found",
    });
  });

  it("builds no key of an id that is no database id", async () => {
    const sessions = sessionsWith(known);
    await authenticate(sessions, "telegram", aRequest({ id: "s:{1}:x", "session-id": secret })).catch(() => {});
    expect(sessions.reads).toEqual([]);
  });
});

describe("requireActive", () => {
  const { signal } = new AbortController();
  const idle = { ...known, active: false };

  it("takes an active session as it is", async () => {
    expect(await requireActive(sessionsWith(undefined), known, signal)).toBe(known);
  });
  it("waits for an owner", async () => {
    expect(await requireActive(sessionsWith(idle, known), idle, signal)).toBe(known);
  });
  it("answers 500 session not found when none came", async () => {
    await expect(requireActive(sessionsWith(idle, idle), idle, signal)).rejects.toMatchObject({
      status: 500,
      message: "session not found",
    });
  });
  it("answers 404 when the session was deleted meanwhile", async () => {
    await expect(requireActive(sessionsWith(undefined), idle, signal)).rejects.toMatchObject({ status: 404, message: "session not found" });
  });
});

describe("ApiKeys", () => {
  it.each<[string, string, "create" | "admin", boolean]>([
    ["k1", "k1", "create", true],
    ["k1", "k1", "admin", false],
    ["k1", "k2", "create", false],
    ["k1", "", "create", false],
    ["create:k1,admin:k2", "k1", "create", true],
    ["create:k1,admin:k2", "k1", "admin", false],
    ["create:k1, admin:k2", "k2", "admin", true],
    ["create:k1,admin:k2", "k2", "create", true],
    ["create:k1", "create:k1", "create", false],
  ])("ring %s, key %s, role %s: %s", (ring, key, role, allowed) => {
    expect(ApiKeys.parse(ring).allows(key, role)).toBe(allowed);
  });

  it("is empty without a text", () => {
    expect(ApiKeys.parse("").isEmpty).toBe(true);
  });

  it.each(["root:abcdefghijklmnop", "other:k1", "admin:k2,Create:k1", ":k1"])(
    "refuses %j: what stands before the key is no role",
    (text) => {
      expect(() => ApiKeys.parse(text)).toThrow(
        /^must be a list of role:key with the roles create and admin; the (first|second) has another$/,
      );
    },
  );

  it("refuses keys of a configuration that can be guessed, and tells none of them", () => {
    expect(() => readApiKeys("admin:0123456789abcdef,create:short")).toThrow(/^has a key of fewer than 16 characters \(the second\)$/);
    expect(() => readApiKeys("abc")).toThrow("has a key of fewer than 16 characters (the first)");
    expect(readApiKeys("admin:0123456789abcdef")).toEqual([{ role: "admin", key: "0123456789abcdef" }]);
  });

  // An empty ring lets loopback clients in: a slip of the pen must not make one.
  it.each([" ", ",", "admin:", "create:", "admin:k1,", "admin"])("refuses %j", (text) => {
    expect(() => ApiKeys.parse(text)).toThrow("must be a list of role:key without empty keys");
  });
});
