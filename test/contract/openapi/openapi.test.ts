import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { platforms } from "../../../shared/contract/platform.js";
import { errorExamples } from "../../../router/openapi/error-responses.js";
import { createSession } from "../../harness/api.js";
import { requestErrors, sessionErrors, telegramErrors, whatsappErrors, type ErrorStep } from "./play-errors.js";
import { playDay, playDeadLetters, playDrain, playRotation, playStream, playUndelete } from "./play-operators.js";
import { playEvents } from "./play-events.js";
import { groupErrors, playGroups } from "./play-groups.js";
import {
  playAccount,
  playChanges,
  playEmptyRequests,
  playForward,
  playLife,
  playLists,
  playMedia,
  playMessages,
  playPasskey,
  playPassword,
} from "./play-sessions.js";
import { closeWorld, openWorld, type World } from "./world.js";

/**
 * Sends every example of the document to a running gateway and compares the response with the document. Steps that disturb others run
 * last.
 */
let world: World;
beforeAll(async () => {
  world = await openWorld();
});
afterAll(() => closeWorld(world));

describe.each(platforms)("%s: what the document shows", (platform) => {
  it("of messages, statuses and typing is accepted, and its responses match the document", () => playMessages(world, platform));
  it("of a forward is accepted with the ref of an event", () => playForward(world, platform));
  it("of calls about one message is accepted", () => playChanges(world, platform));
  it("of groups is accepted, and its responses match", () => playGroups(world, platform));
  it("of lists matches the responses", () => playLists(world, platform));
  it("of profiles, blocks and channels is accepted", () => playAccount(world, platform));
  it("of a session from its creation to its end", () => playLife(world, platform));
  it("serves files by their links", () => playMedia(world, platform));
});

describe("whatsapp alone", () => {
  it("links an account by its passkey", () => playPasskey(world));
});

describe("telegram alone", () => {
  it("responds to a two-step password", async () => {
    await playPassword(world);
  });
});

it("describes each event as it arrives", () => playEvents(world));

it("a request that says nothing gets the sentence that the document shows", async () => {
  expect(await playEmptyRequests(world)).toBeGreaterThan(6);
});

describe("operators", () => {
  it("get of each call what the document says", () => playDay(world));
  it("receive live events", () => playStream(world));
  it("see what was given up, and have it delivered", () => playDeadLetters(world));
  it("choose another key that seals", () => playRotation(world));
});

describe("errors", () => {
  const groups: readonly (readonly [string, (world: World) => Readonly<Record<string, ErrorStep>>])[] = [
    ["requests", requestErrors],
    ["sessions and tenants", sessionErrors],
    ["groups", groupErrors],
    ["telegram", telegramErrors],
    ["whatsapp", whatsappErrors],
  ];
  /** Errors that cannot be caused here, each with its reason. */
  const reasons = new Map<string, string>();

  it.each(groups)("of %s are those of the document", async (_, steps) => {
    const failed: string[] = [];
    for (const [name, step] of Object.entries(steps(world))) {
      if ("why" in step) reasons.set(name, step.why);
      else await playError(name, step).catch((error: unknown) => failed.push(`${name}: ${String(error)}`));
    }
    expect(failed).toEqual([]);
  });

  async function playError(name: string, step: Exclude<ErrorStep, { why: string }>): Promise<void> {
    const { replay } = world;
    const told = errorExamples[name]?.value as { statusCode: number; message: string } | undefined;
    const answer = "ask" in step ? await step.ask() : await replay.play(step.route, { ...step.play, status: told?.statusCode ?? 0 });
    expect([name, answer.status]).toEqual([name, told?.statusCode]);
    const { message } = answer.body as { message: string };
    if ("says" in step && step.says !== undefined) {
      expect(message).toMatch(step.says);
      expect(told?.message).toMatch(step.says.source.startsWith("^key z") ? /^key b is missing in CRED_KEYS of / : step.says);
    } else {
      expect([name, message]).toEqual([name, told?.message]);
    }
    expect([name, replay.faultsOfSchema("Error", answer.body)]).toEqual([name, []]);
    if ("route" in step) replay.judge(step.route, answer);
    replay.played.add(name);
  }

  it("that are not brought about here are few, and each says why", () => {
    expect([...reasons.values()].every((why) => why.length > 20)).toBe(true);
    for (const name of reasons.keys()) world.replay.played.add(name);
    expect([...reasons.keys()].sort()).toEqual([
      "bodyTooLate",
      "commandTooLarge",
      "outcomeUnknown",
      "sandboxDidNotRespond",
      "sandboxResponseTooLong",
      "sendTimeout",
      "telegramMediaTimeout",
      "whatsappAskedToWait",
      "whatsappChannelsNotListed",
      "whatsappHistoryIsOff",
      "whatsappMediaTimeout",
      "whatsappNoFileForChannel",
      "whatsappNotForwardable",
    ]);
  });
});

describe("at the end", () => {
  it("a session that a timer deleted comes back", () => playUndelete(world));
  it("a shard gives its slots away, and gets its share again", () => playDrain(world));

  it("every path says which methods it has, also to a page of another origin", async () => {
    const { replay } = world;
    for (const path of Object.keys(replay.document.paths)) {
      const { status, headers } = await replay.preflight(path);
      expect([path, status]).toEqual([path, 204]);
      // A path may also match the parameter of another path, as `bulk` matches an id.
      const told = Object.entries(replay.document.paths).flatMap(([other, methods]) => (fits(other, path) ? Object.keys(methods) : []));
      const own = told.map((method) => method.toUpperCase());
      const expected = [...new Set([...own, ...(own.includes("GET") ? ["HEAD"] : []), "OPTIONS"])];
      expect([path, headers.get("allow")?.split(", ").sort()]).toEqual([path, expected.sort()]);
      expect(headers.get("access-control-allow-headers")).toContain("session-id");
    }
  });

  it("nothing of the document was left out", () => {
    const { all, played } = world.replay;
    expect(all.filter((name) => !played.has(name))).toEqual([]);
    expect(all.length).toBeGreaterThan(300);
  });

  it("detects a response of another shape, an unknown status and an undescribed header", async () => {
    const { replay, gateway } = world;
    const route = "GET /telegram/session";
    const answer = await (await createSession(gateway)).get("/session");
    const faults = (changed: Partial<typeof answer>): string[] => replay.faultsOf(replay.operation(route), { ...answer, ...changed });
    expect(faults({})).toEqual([]);
    expect(faults({ status: 418 })).toEqual([expect.stringContaining("no such status: 418")]);
    expect(faults({ body: { ...(answer.body as object), isConnected: "no" } })).toEqual(["/isConnected must be boolean"]);
    const headers = new Headers(answer.headers);
    headers.set("x-secret", "1");
    headers.delete("x-request-id");
    expect(faults({ headers })).toEqual(["unknown header x-secret", "no x-request-id"]);
  });
});

describe("the document itself", () => {
  it("is there for everybody, packed for who reads that, and again only when it is another", async () => {
    const { base } = world.replay;
    const answer = await fetch(`${base}/openapi.json`, { headers: { "accept-encoding": "gzip" } });
    expect([answer.status, answer.headers.get("content-type")]).toEqual([200, "application/json; charset=utf-8"]);
    const same = await fetch(`${base}/openapi.json`, { headers: { "if-none-match": answer.headers.get("etag") ?? "" } });
    expect(same.status).toBe(304);
  });
  it("can be read at /docs, of which every file is this router's", async () => {
    const { base } = world.replay;
    const page = await (await fetch(`${base}/docs`)).text();
    const files = [...page.matchAll(/(?:href|src)="([^"]+)"/g)].map(([, file = ""]) => file).filter((file) => !file.startsWith("data:"));
    expect(files).toEqual(["/docs/swagger-ui.css", "/docs/phone.css", "/docs/swagger-ui-bundle.js", "/docs/start.js"]);
    for (const file of files) expect((await fetch(base + file)).status).toBe(200);
  });
});

function fits(template: string, path: string): boolean {
  const [parts, asked] = [template.split("/"), path.split("/")];
  return parts.length === asked.length && parts.every((part, at) => part.startsWith("{") || part === asked[at]);
}
