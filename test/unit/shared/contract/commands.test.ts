import { describe, expect, it } from "vitest";
import type { CommandClass, CommandFacts, CommandLane, SessionSource } from "../../../../shared/contract/command-row.js";
import { commandRows, findFacts } from "../../../../shared/contract/commands.js";

type Facts = [name: string, CommandClass, CommandLane, deadlineMs: number, late: string, needs: string, changes: string, SessionSource];
const notConnected = "500 session not connected";
const sendTimeout = "500 send timeout after 240s";
const busy = "503 server busy";
const unknown = "500 internal server error";
const mediaTimeout = (platform: string): string => `503 ${platform} did not answer the media request in time`;

/** The facts that callers and operators rely on. A change here changes a promise. */
const lists: Facts[] = [
  ["get-limits", "read", "read", 60_000, notConnected, "nothing", "nothing", "finds"],
  ["list-groups", "read", "read", 60_000, notConnected, "connection", "nothing", "finds"],
  ["get-group", "read", "read", 60_000, notConnected, "connection", "nothing", "finds"],
  ["list-group-members", "read", "read", 60_000, notConnected, "connection", "nothing", "finds"],
  ["list-channels", "read", "read", 60_000, notConnected, "connection", "nothing", "finds"],
  ["get-channel", "read", "read", 60_000, notConnected, "connection", "nothing", "finds"],
  ["list-channel-messages", "read", "read", 60_000, notConnected, "connection", "nothing", "finds"],
  ["list-chats", "read", "read", 60_000, notConnected, "connection", "nothing", "finds"],
  ["list-chat-messages", "read", "read", 60_000, notConnected, "connection", "nothing", "finds"],
  ["list-contacts", "read", "read", 60_000, notConnected, "connection", "nothing", "finds"],
  ["look-up-phones", "read", "read", 240_000, notConnected, "connection", "nothing", "finds"],
];
const accountChanges: Facts[] = [
  ["create-channel", "once", "ordered", 240_000, sendTimeout, "connection", "nothing", "finds"],
  ["update-channel", "send", "ordered", 240_000, sendTimeout, "connection", "nothing", "finds"],
  ["follow-channel", "send", "ordered", 240_000, sendTimeout, "connection", "nothing", "finds"],
  ["leave-channel", "send", "ordered", 240_000, sendTimeout, "connection", "nothing", "finds"],
  ["update-profile", "send", "ordered", 240_000, sendTimeout, "connection", "nothing", "finds"],
  ["block-person", "send", "ordered", 240_000, sendTimeout, "connection", "nothing", "finds"],
  ["unblock-person", "send", "ordered", 240_000, sendTimeout, "connection", "nothing", "finds"],
];
const webhooks: Facts[] = [
  ["set-webhook", "send", "webhook", 15_000, unknown, "nothing", "its record", "finds"],
  ["list-dead-letters", "read", "read", 15_000, notConnected, "nothing", "nothing", "finds"],
  ["retry-webhook", "read", "webhook", 15_000, notConnected, "nothing", "nothing", "finds"],
  ["send-test-event", "send", "webhook", 15_000, unknown, "nothing", "nothing", "finds"],
  ["replay-dead-letters", "send", "webhook", 15_000, unknown, "nothing", "nothing", "finds"],
];
const groupChanges: Facts[] = [
  ["create-group", "once", "ordered", 240_000, sendTimeout, "connection", "nothing", "finds"],
  ["edit-group", "send", "ordered", 240_000, sendTimeout, "connection", "nothing", "finds"],
  ["add-group-members", "send", "ordered", 240_000, sendTimeout, "connection", "nothing", "finds"],
  ["remove-group-members", "send", "ordered", 240_000, sendTimeout, "connection", "nothing", "finds"],
  ["add-group-admins", "send", "ordered", 240_000, sendTimeout, "connection", "nothing", "finds"],
  ["remove-group-admins", "send", "ordered", 240_000, sendTimeout, "connection", "nothing", "finds"],
  ["get-group-invite", "read", "read", 60_000, notConnected, "connection", "nothing", "finds"],
  ["revoke-group-invite", "send", "ordered", 240_000, sendTimeout, "connection", "nothing", "finds"],
  ["join-group", "send", "ordered", 240_000, sendTimeout, "connection", "nothing", "finds"],
  ["leave-group", "send", "ordered", 240_000, sendTimeout, "connection", "nothing", "finds"],
];
const whatsapp: Facts[] = [
  ["create-session", "read", "read", 15_000, busy, "nothing", "nothing", "creates"],
  ["undelete-session", "read", "read", 15_000, notConnected, "nothing", "its record", "undeletes"],
  ["restart-session", "read", "read", 15_000, notConnected, "nothing", "its record", "finds"],
  ["set-proxy", "read", "read", 15_000, notConnected, "nothing", "its record", "finds"],
  ["reset-session", "once", "ordered", 60_000, unknown, "nothing", "its record", "finds"],
  ["delete-session", "once", "ordered", 60_000, unknown, "nothing", "its record", "finds"],
  ["submit-passkey", "once", "ordered", 60_000, unknown, "nothing", "its record", "finds"],
  ["confirm-passkey", "once", "ordered", 60_000, unknown, "nothing", "its record", "finds"],
  ["send-message", "send", "ordered", 240_000, sendTimeout, "connection", "nothing", "finds"],
  ["forward-message", "send", "ordered", 240_000, sendTimeout, "connection", "nothing", "finds"],
  ["send-voice", "send", "ordered", 240_000, sendTimeout, "connection", "nothing", "finds"],
  ["send-sticker", "send", "ordered", 240_000, sendTimeout, "connection", "nothing", "finds"],
  ["send-poll", "send", "ordered", 240_000, sendTimeout, "connection", "nothing", "finds"],
  ["send-album", "send", "ordered", 240_000, sendTimeout, "connection", "nothing", "finds"],
  ["read-message", "send", "ordered", 240_000, sendTimeout, "connection", "nothing", "finds"],
  ["edit-message", "send", "ordered", 240_000, sendTimeout, "connection", "nothing", "finds"],
  ["delete-message", "send", "ordered", 240_000, sendTimeout, "connection", "nothing", "finds"],
  ["send-reaction", "send", "ordered", 240_000, sendTimeout, "connection", "nothing", "finds"],
  ["post-status", "send", "ordered", 240_000, sendTimeout, "connection", "nothing", "finds"],
  ["send-typing", "read", "read", 30_000, notConnected, "connection", "nothing", "finds"],
  ...lists,
  ...groupChanges,
  ...accountChanges,
  ...webhooks,
  ["read-chunk", "read", "media", 30_000, mediaTimeout("whatsapp"), "connection", "nothing", "finds"],
];
const telegram: Facts[] = [
  ["create-session", "read", "read", 15_000, busy, "nothing", "nothing", "creates"],
  ["undelete-session", "read", "read", 15_000, notConnected, "nothing", "its record", "undeletes"],
  ["restart-session", "read", "read", 15_000, notConnected, "nothing", "its record", "finds"],
  ["set-proxy", "read", "read", 15_000, notConnected, "nothing", "its record", "finds"],
  ["submit-password", "once", "ordered", 60_000, unknown, "nothing", "its record", "finds"],
  ["reset-session", "once", "ordered", 60_000, unknown, "nothing", "its record", "finds"],
  ["delete-session", "once", "ordered", 60_000, unknown, "nothing", "its record", "finds"],
  ["send-message", "send", "ordered", 240_000, sendTimeout, "connection", "nothing", "finds"],
  ["forward-message", "send", "ordered", 240_000, sendTimeout, "connection", "nothing", "finds"],
  ["send-voice", "send", "ordered", 240_000, sendTimeout, "connection", "nothing", "finds"],
  ["send-sticker", "send", "ordered", 240_000, sendTimeout, "connection", "nothing", "finds"],
  ["send-poll", "send", "ordered", 240_000, sendTimeout, "connection", "nothing", "finds"],
  ["send-album", "send", "ordered", 240_000, sendTimeout, "connection", "nothing", "finds"],
  ["read-message", "send", "ordered", 240_000, sendTimeout, "connection", "nothing", "finds"],
  ["edit-message", "send", "ordered", 240_000, sendTimeout, "connection", "nothing", "finds"],
  ["delete-message", "send", "ordered", 240_000, sendTimeout, "connection", "nothing", "finds"],
  ["send-reaction", "send", "ordered", 240_000, sendTimeout, "connection", "nothing", "finds"],
  ["send-typing", "read", "read", 30_000, notConnected, "connection", "nothing", "finds"],
  ["post-status", "once", "ordered", 240_000, sendTimeout, "connection", "nothing", "finds"],
  ...lists,
  ...groupChanges,
  ...accountChanges,
  ...webhooks,
  ["describe-media", "read", "media", 30_000, mediaTimeout("telegram"), "connection", "nothing", "finds"],
  ["read-chunk", "read", "media", 30_000, mediaTimeout("telegram"), "connection", "nothing", "finds"],
];

describe.each([
  ["whatsapp", whatsapp],
  ["telegram", telegram],
] as const)("commands of %s", (platform, expected) => {
  const rows = new Map<string, CommandFacts>(Object.entries(commandRows[platform]));
  it("are these", () => {
    expect([...rows.keys()].sort()).toEqual(expected.map(([name]) => name).sort());
  });
  it.each(expected)("%s: %s, lane %s, %i ms, then %s; needs %s, changes %s, %s its session", (name, ...facts) => {
    expect(factsOf(rows.get(name))).toEqual(facts);
  });
});

it("keeps messages to their session's pace and to their tenant's day, and nothing else", () => {
  expect(commandsThat(({ isMessage }) => isMessage)).toEqual([
    "telegram forward-message",
    "telegram send-album",
    "telegram send-message",
    "telegram send-poll",
    "telegram send-sticker",
    "telegram send-voice",
    "whatsapp delete-message",
    "whatsapp edit-message",
    "whatsapp forward-message",
    "whatsapp send-album",
    "whatsapp send-message",
    "whatsapp send-poll",
    "whatsapp send-reaction",
    "whatsapp send-sticker",
    "whatsapp send-voice",
  ]);
});

it("puts on record what changes a session for good, and nothing else", () => {
  expect(commandsThat(({ isAudited }) => isAudited)).toEqual([
    "telegram create-session",
    "telegram delete-session",
    "telegram reset-session",
    "telegram set-webhook",
    "telegram submit-password",
    "whatsapp confirm-passkey",
    "whatsapp create-session",
    "whatsapp delete-session",
    "whatsapp reset-session",
    "whatsapp set-webhook",
    "whatsapp submit-passkey",
  ]);
});

describe("a command by name", () => {
  it.each([
    ["telegram", "set-webhook", true],
    ["whatsapp", "submit-password", false],
    ["telegram", "toString", false],
    ["telegram", "", false],
  ] as const)("of %s: %s is known: %s", (platform, name, known) => {
    expect(findFacts(platform, name) !== undefined).toBe(known);
  });
});

function commandsThat(fits: (facts: CommandFacts) => boolean): string[] {
  const names = Object.entries(commandRows).flatMap(([platform, rows]) =>
    Object.entries(rows as Record<string, CommandFacts>).flatMap(([name, row]) => (fits(row) ? [`${platform} ${name}`] : [])),
  );
  return names.sort();
}

function factsOf(row: CommandFacts | undefined): unknown[] {
  if (row === undefined) return [];
  const late = row.late();
  return [
    row.class,
    row.lane,
    row.deadlineMs,
    `${late.status} ${late.message}`,
    row.needsConnection ? "connection" : "nothing",
    row.changesRecord ? "its record" : "nothing",
    row.session,
  ];
}
