import { expect } from "vitest";
import { errorExamples } from "../../../router/openapi/error-responses.js";
import { qrValidityMs } from "../../../shared/limits.js";
import { makeSignInCode } from "../../../shared/tenant/sign-in-code.js";
import { createSession, type ApiResponse } from "../../harness/api.js";
import { eventually } from "../../harness/eventually.js";
import { EventStream } from "../../harness/event-stream.js";
import type { World } from "./world.js";

const idIn = ({ body }: ApiResponse): string => (body as { id: string }).id;

/** Plays sessions, tenants, keys, lists and records in the order of a working day. */
export async function playDay({ replay, gateway, admin }: World): Promise<void> {
  const { id } = (await createSession(gateway)).credentials;
  replay.instead.set("6b01aa5342b4f53c9f4c7e33", id);
  const created = await replay.play("POST /admin/keys", { headers: admin, body: { role: "create", tenant: "default" }, status: 201 });
  const slot = { slot: "2741" };
  const acme = { name: "acme" };
  await replay.read("/admin/self", { headers: admin });
  await replay.playAll("POST /admin/tenants", { headers: admin, status: 201 });
  await replay.read("/admin/sessions", { headers: admin });
  await replay.read("/admin/sessions", { headers: admin, query: "examples" });
  await replay.play("GET /admin/sessions", { headers: { ...admin, accept: "application/x-ndjson" }, query: { q: id } });
  await replay.read("/admin/sessions/{id}", { headers: admin, path: { id } });
  await replay.play("POST /admin/sessions/{id}/restart", { headers: admin, path: { id } });
  await replay.playAll("PUT /admin/sessions/{id}/proxy", { headers: admin, path: { id } });
  await replay.play("DELETE /admin/sessions/{id}/proxy", { headers: admin, path: { id } });
  await replay.playAll("POST /admin/sessions/{id}/move", { headers: admin, path: { id } });
  await replay.playAll("POST /admin/sessions/bulk", { headers: admin });
  await replay.read("/admin/members", { headers: admin, query: "examples" });
  await replay.read("/admin/slots", { headers: admin, query: "examples" });
  await replay.read("/admin/slots/{slot}", { headers: admin, path: slot });
  await replay.playAll("PUT /admin/slots/{slot}/pin", { headers: admin, path: slot });
  await replay.play("DELETE /admin/slots/{slot}/pin", { headers: admin, path: slot });
  await replay.read("/admin/tenants", { headers: admin, query: "examples" });
  await replay.read("/admin/tenants/{name}", { headers: admin, path: acme });
  await replay.playAll("PATCH /admin/tenants/{name}", { headers: admin, path: acme });
  await replay.playAll("POST /admin/keys", { headers: admin, status: 201 });
  await replay.read("/admin/keys", { headers: admin, query: "examples" });
  await replay.playAll("PATCH /admin/keys/{id}", { headers: admin, path: { id: idIn(created) } });
  await replay.play("DELETE /admin/keys/{id}", { headers: admin, path: { id: idIn(created) } });
  await replay.play("DELETE /admin/tenants/{name}", { headers: admin, path: acme });
  await replay.read("/admin/audit", { headers: admin });
  await replay.read("/admin/audit", { headers: admin, query: "examples" });
  const code = await makeSignInCode(gateway.redis.client);
  replay.instead.set("nnFpnBTGVdU1lTfOEvQ3ZmAyyCnmCsCy", code);
  await replay.playAll("POST /admin/sign-in", { status: 201 });
  replay.instead.delete("nnFpnBTGVdU1lTfOEvQ3ZmAyyCnmCsCy");
  await replay.play("DELETE /admin/sessions/{id}", { headers: admin, path: { id } });
}

/** Plays the live events: the stream begins as the document shows, and its data match the schemas. */
export async function playStream({ replay, gateway, admin }: World): Promise<void> {
  const route = "/admin/events";
  await replay.play(`HEAD ${route}`, { headers: admin });
  const leave = new AbortController();
  const answer = await fetch(replay.base + route, { headers: admin, signal: leave.signal });
  replay.judge(`GET ${route}`, { status: answer.status, headers: answer.headers, body: "" });
  leave.abort();
  const stream = await EventStream.open(replay.base + route, { ...admin });
  await createSession(gateway);
  const sessionEvent = await eventually("an event of a session", () => stream.events.find(({ name }) => name === "session"));
  stream.close();
  expect(sessionEvent.data["session"]).toMatch(/^[0-9a-f]{24}$/);
  for (const { name, data } of stream.events)
    expect([name, replay.faultsOfSchema(`Live${name.charAt(0).toUpperCase()}${name.slice(1)}Event`, data)]).toEqual([name, []]);
}

/** Restores a session that a timer deleted. */
export async function playUndelete({ replay, gateway, admin }: World): Promise<void> {
  const forgotten = await createSession(gateway);
  const { id } = forgotten.credentials;
  await eventually("a code", async () => (await forgotten.record()).qrcode);
  gateway.pass(qrValidityMs + 60_000);
  await eventually("the session to be deleted", async () => (await forgotten.get("/session")).status === 404);
  await replay.play("POST /admin/sessions/{id}/undelete", { headers: admin, path: { id } });
}

/** An event becomes a dead letter after a hundred rejected attempts, and is replayed. */
export async function playDeadLetters({ replay, receiver, sandbox, callers, admin, of }: World): Promise<void> {
  const { id } = callers.telegram.credentials;
  await callers.telegram.send("PUT", "/session/webhook", { url: receiver.url, token: "s3cret" });
  receiver.respond = () => 500;
  await sandbox("/people/send", { platform: "telegram", account: "alice", chat: "bob", text: "Are you there?" });
  const path = { headers: admin, path: { id } };
  const letters = async (): Promise<number> =>
    ((await replay.play("GET /admin/sessions/{id}/dead-letters", path)).body as { docs: unknown[] }).docs.length;
  await eventually("a dead letter", async () => (await letters()) > 0);
  await replay.read("/admin/sessions/{id}/dead-letters", { ...path, query: { limit: "50", after: "" } });
  receiver.respond = () => 204;
  await replay.play("POST /admin/sessions/{id}/webhook/retry", path);
  const { body } = await replay.play("POST /admin/sessions/{id}/dead-letters/replay", path);
  expect((body as { replayed: number }).replayed).toBeGreaterThan(0);
  // The delivery carries the id of the request that caused the replay.
  const delivery = await eventually("the event once more", () => receiver.taken.find(({ status }) => status === 204));
  expect(delivery.headers["x-request-id"]).toBe("order-4711");
  await replay.play("PUT /telegram/session/webhook", { headers: of("telegram"), body: { url: "", token: "" } });
}

/** Switches the sealing key once every process has reported that it has the new key. */
export async function playRotation({ replay, admin }: World): Promise<void> {
  const members = async (): Promise<{ keys: string[] }[]> =>
    ((await replay.read("/admin/keyring", { headers: admin })).body as { members: { keys: string[] }[] }).members;
  await eventually("all processes with both keys", async () => (await members()).filter(({ keys }) => keys.includes("b")).length === 3);
  await replay.playAll("POST /admin/keyring/rotate", { headers: admin });
}

/** A shard moves its slots to the other one and gets its share back. Plays the requests that are rejected meanwhile. */
export async function playDrain({ replay, gateway, admin }: World): Promise<void> {
  const { id } = (await createSession(gateway)).credentials;
  await replay.play("POST /admin/members/{name}/drain", { headers: admin, path: { name: "shard-2" } });
  const refused = async (name: string, route: string, path: Record<string, string>, body?: unknown): Promise<void> => {
    const { body: told } = await replay.play(route, { headers: admin, path, status: 409, ...(body === undefined ? {} : { body }) });
    expect(told).toEqual(errorExamples[name]?.value);
    replay.played.add(name);
  };
  await refused("lastActiveMember", "POST /admin/members/{name}/drain", { name: "shard-1" });
  await refused("memberTakesNoSlots", "POST /admin/sessions/{id}/move", { id }, { member: "shard-2" });
  await replay.play("POST /admin/members/{name}/undrain", { headers: admin, path: { name: "shard-2" } });
}
