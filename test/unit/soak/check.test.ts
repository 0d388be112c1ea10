import { describe, expect, it } from "vitest";
import type { WebhookBody } from "../../../shared/contract/telegram/webhook-body.js";
import type { HappeningEntry } from "../../sandbox/telegram/world/happenings.js";
import { checkSession, type OnTime } from "../../soak/check.js";
import type { Arrival, Behaviour } from "../../soak/receiver/arrival.js";

/** Tests the judge of the soaks, which must find every fault of a gateway. Times are in seconds. */
const on: OnTime = { from: { asked: 0, answered: 1_000 } };

describe("a session whose events all came in order", () => {
  it("is found faultless, with its repeats counted", () => {
    const history = [wrote(1, 2), wrote(2, 3), edited(1, 4), read(2, 5), deleted(1, 6)];
    const arrivals = [
      came(wrote(1, 2), "error"),
      came(wrote(1, 2)),
      came(wrote(2, 3), "reset"),
      came(wrote(2, 3)),
      came(wrote(2, 3)),
      came(edited(1, 4)),
      came(read(2, 5)),
      came(deleted(1, 6)),
    ];
    expect(checkSession("s", arrivals, history, [on])).toEqual({
      expected: 5,
      delivered: 5,
      attempts: 8,
      brokenOff: 0,
      repeats: 3,
      acceptedAgain: 1,
      violations: [],
    });
  });

  it("may hear of new messages before of what was done to older ones, as a difference tells it", () => {
    const history = [wrote(1, 2), edited(1, 3), wrote(2, 4)];
    expect(checkSession("s", [came(wrote(1, 2)), came(wrote(2, 4)), came(edited(1, 3))], history, [on]).violations).toEqual([]);
  });

  it("hears nothing of reactions and of the gateway's own messages", () => {
    const history = [wrote(1, 2), { ...wrote(2, 3), own: true }, { ...row(4), kind: "reacted" as const, messageId: "1" }];
    expect(checkSession("s", [came(wrote(1, 2))], history, [on])).toMatchObject({ expected: 1, violations: [] });
  });
});

describe("a request that its sender had broken off when it was read", () => {
  const history = [wrote(1, 2), wrote(2, 3), wrote(3, 4)];
  it("is an attempt and no more: read after its repeat and the next event, it breaks no order and accepts nothing", () => {
    const arrivals = [
      came(wrote(1, 2)),
      came(wrote(2, 3), "error"),
      brokenOff(came(wrote(1, 2))),
      came(wrote(2, 3)),
      brokenOff(came(wrote(1, 2))),
      came(wrote(3, 4)),
    ];
    expect(checkSession("s", arrivals, history, [on])).toEqual({
      expected: 3,
      delivered: 3,
      attempts: 6,
      brokenOff: 2,
      repeats: 1,
      acceptedAgain: 0,
      violations: [],
    });
    expect(checkSession("s", [...arrivals.slice(0, -1), brokenOff(came(wrote(3, 4)))], history, [on]).violations).toEqual([
      expect.stringMatching(/never came: new\|5\|3/),
    ]);
  });

  it("may be read when the webhook is off, as turning it off breaks it off", () => {
    const over: OnTime = { ...on, to: { asked: 3_000, answered: 3_400 } };
    expect(checkSession("s", [came(wrote(1, 2)), brokenOff(came(wrote(2, 3)))], history.slice(0, 2), [over]).violations).toEqual([]);
    expect(checkSession("s", [came(wrote(1, 2)), came(wrote(2, 3))], history.slice(0, 2), [over]).violations).toEqual([
      expect.stringMatching(/while the webhook was off/),
    ]);
  });

  it("still tells the truth", () => {
    const arrivals = [
      ...history.map((row) => came(row)),
      brokenOff(came(wrote(9, 4))),
      brokenOff({ ...came(wrote(1, 2)), sha256: "other" }),
      brokenOff({ ...came(wrote(2, 3)), id: "other" }),
    ];
    const { violations } = checkSession("s", arrivals, history, [on]);
    expect(violations).toEqual(
      expect.arrayContaining(
        [/never happened: new\|5\|9/, /another body/, /under two ids/].map((sentence) => expect.stringMatching(sentence)),
      ),
    );
  });
});

describe("a second delivery loop", () => {
  it("is seen by its very first event, as its sender waits for the answer", () => {
    const history = [wrote(1, 2), wrote(2, 3), wrote(3, 4)];
    const behind = [
      came(wrote(1, 2)),
      came(wrote(2, 3), "error"),
      came(wrote(1, 2)),
      came(wrote(2, 3)),
      came(wrote(3, 4)),
      came(wrote(2, 3)),
      came(wrote(3, 4)),
    ];
    const { violations } = checkSession("s", behind, history, [on]);
    expect(violations.filter((violation) => violation.includes("came again after others"))).toHaveLength(4);
    expect(violations.filter((violation) => violation.includes("overtook"))).toHaveLength(1);
    const sideBySide = [
      came(wrote(1, 2)),
      came(wrote(1, 2)),
      came(wrote(2, 3)),
      came(wrote(2, 3)),
      came(wrote(3, 4), "error"),
      brokenOff(came(wrote(2, 3))),
      came(wrote(2, 3)),
    ];
    expect(checkSession("s", sideBySide, history, [on]).violations).toEqual(
      expect.arrayContaining([expect.stringMatching(/new-2 came again after others/)]),
    );
  });
});

describe("the check sees", () => {
  const history = [wrote(1, 2), wrote(2, 3), edited(1, 4)];
  it.each<[string, Arrival[], RegExp]>([
    ["an event that never came", [came(wrote(1, 2)), came(edited(1, 4))], /never came: new\|5\|2/],
    ["one that never was accepted", [came(wrote(1, 2)), came(wrote(2, 3)), came(edited(1, 4), "error")], /never came: edited\|5\|1/],
    ["one that never happened", [came(wrote(1, 2)), came(wrote(2, 3)), came(edited(1, 4)), came(wrote(9, 4))], /never happened: new\|5\|9/],
    ["another text", [came(wrote(1, 2)), came({ ...wrote(2, 3), text: "x" }), came(edited(1, 4))], /never came: new\|5\|2/],
    ["messages in the wrong order", [came(wrote(2, 3)), came(wrote(1, 2)), came(edited(1, 4))], /out of order: new\|5\|1/],
    ["an edit before its message", [came(wrote(2, 3), "ok"), came(edited(1, 4)), came(wrote(1, 2))], /before its message: edited\|5\|1/],
    ["an event that overtook one that was not accepted", [came(wrote(1, 2), "error"), came(wrote(2, 3)), came(edited(1, 4))], /overtook/],
    ["a repeat after others", [came(wrote(1, 2)), came(wrote(2, 3)), came(wrote(1, 2)), came(edited(1, 4))], /came again after others/],
    [
      "a repeat with another body",
      [came(wrote(1, 2), "error"), { ...came(wrote(1, 2)), sha256: "other" }, came(wrote(2, 3)), came(edited(1, 4))],
      /another body/,
    ],
    [
      "an event under two ids",
      [came(wrote(1, 2)), { ...came(wrote(1, 2)), id: "other" }, came(wrote(2, 3)), came(edited(1, 4))],
      /under two ids/,
    ],
  ])("%s", (_name, arrivals, sentence) => {
    expect(checkSession("s", arrivals, history, [on]).violations).toEqual(expect.arrayContaining([expect.stringMatching(sentence)]));
  });

  it("what happened before the webhook was on", () => {
    const late: OnTime = { from: { asked: 10_000, answered: 11_000 } };
    const both = [wrote(1, 2), wrote(2, 12)];
    expect(checkSession("s", [came(wrote(2, 12))], both, [late])).toMatchObject({ expected: 1, violations: [] });
    expect(checkSession("s", [came(wrote(1, 2), "ok", 12), came(wrote(2, 12))], both, [late]).violations).toEqual([
      "s: happened while the webhook was off: new|5|1|message 1|false",
    ]);
  });

  it("what came after it was off, but forgives what waited then and was forgotten", () => {
    const over: OnTime = { ...on, to: { asked: 10_000, answered: 11_000 } };
    const again: OnTime = { from: { asked: 20_000, answered: 21_000 } };
    const story = [wrote(1, 2), wrote(2, 3), wrote(3, 15), wrote(4, 22)];
    expect(checkSession("s", [came(wrote(1, 2)), came(wrote(2, 3), "error"), came(wrote(4, 22))], story, [over, again])).toMatchObject({
      expected: 1,
      delivered: 1,
      violations: [],
    });
    const late = checkSession("s", [came(wrote(1, 2), "ok", 13), came(wrote(4, 22))], story, [over, again]);
    expect(late.violations).toEqual([expect.stringMatching(/^s: a request came while the webhook was off: new\|5\|1\|message 1\|false /)]);
    expect(checkSession("s", [came(wrote(3, 15), "ok", 22), came(wrote(4, 22))], story, [over, again]).violations).toEqual([
      "s: happened while the webhook was off: new|5|3|message 3|false",
    ]);
  });
});

function row(atSeconds: number): Pick<HappeningEntry, "account" | "at" | "pts" | "chat" | "own"> {
  return { account: "a", at: new Date(atSeconds * 1_000).toISOString(), pts: atSeconds, chat: "5", own: false };
}

function wrote(id: number, atSeconds: number): Extract<HappeningEntry, { kind: "new" | "edited" }> {
  return { ...row(atSeconds), kind: "new", messageId: String(id), text: `message ${id}`, out: false };
}

function edited(id: number, atSeconds: number): Extract<HappeningEntry, { kind: "new" | "edited" }> {
  return { ...wrote(id, atSeconds), kind: "edited", text: `edit of ${id}` };
}

function deleted(id: number, atSeconds: number): Extract<HappeningEntry, { kind: "deleted" }> {
  return { ...row(atSeconds), kind: "deleted", messageIds: [String(id)] };
}

function read(until: number, atSeconds: number): Extract<HappeningEntry, { kind: "read" }> {
  return { ...row(atSeconds), kind: "read", until: String(until), by: "me" };
}

/** Returns the request that reports a row, some time after it. */
function came(what: HappeningEntry, behaviour: Behaviour = "ok", atSeconds = Date.parse(what.at) / 1_000): Arrival {
  const body = bodyOf(what);
  return { id: body.id, body, sha256: JSON.stringify(body), token: "t", at: atSeconds * 1_000 + 500, behaviour, brokenOff: false, port: 1 };
}

function brokenOff(arrival: Arrival): Arrival {
  return { ...arrival, brokenOff: true };
}

function bodyOf(what: HappeningEntry): WebhookBody {
  const chat = { id: what.chat, name: "", username: "", phone: "", thumbnail: "" };
  const base = { session: "s", created: what.at };
  switch (what.kind) {
    case "new":
    case "edited": {
      const data = {
        id: what.messageId,
        chat,
        fromMe: what.out,
        type: "text" as const,
        text: what.text,
        entities: [],
        albumId: "",
        created: what.at,
        edited: "",
        replyTo: "",
        url: "",
        thumbnail: "",
        mimetype: "",
        name: "",
        size: 0,
        duration: 0,
        width: 0,
        height: 0,
        voice: false,
        round: false,
        animation: false,
        title: "",
        performer: "",
      };
      return { ...base, id: `${what.kind}-${what.messageId}`, type: what.kind === "new" ? "message.new" : "message.edited", data };
    }
    case "deleted":
      return { ...base, id: `deleted-${what.messageIds.join()}`, type: "message.deleted", data: { chat, ids: [...what.messageIds] } };
    case "read":
      return { ...base, id: `read-${what.until}`, type: "message.read", data: { chat, until: what.until, by: what.by } };
    case "reacted":
      throw new Error("no event tells of a reaction");
    default:
      return what satisfies never;
  }
}
