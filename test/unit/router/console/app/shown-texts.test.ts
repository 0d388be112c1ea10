import { adminRoutes } from "../../../../../router/admin/admin-routes.js";
import { failedAuthentication, refusedCall } from "../../../../../shared/cluster/audit/audit-row.js";
import type { CommandFacts } from "../../../../../shared/contract/command-row.js";
import { commandRows } from "../../../../../shared/contract/commands.js";
import { describe, expect, it } from "vitest";
import { actionOptions, filteredActions } from "../../../../../router/console/app/pages/audit/audit-actions.js";
import { actionText, actorText } from "../../../../../router/console/app/pages/audit/audit-texts.js";
import { labelText } from "../../../../../router/console/app/pages/keys/label-text.js";
import { dayText, clockText, instantText } from "../../../../../router/console/app/ui/instant-text.js";
import { agoText } from "../../../../../router/console/app/ui/lasting-text.js";
import { numberText } from "../../../../../router/console/app/ui/number-text.js";

const year = new Date().getFullYear();

describe("instants in local time", () => {
  it("show day and minute, with the year unless it is the current one", () => {
    expect(instantText(new Date(year, 10, 26, 14, 37, 5).toISOString())).toBe("26 Nov, 14:37");
    expect(instantText(new Date(2020, 0, 2, 3, 4).toISOString())).toBe("2 Jan 2020, 03:04");
  });
  it("are empty without a value", () => {
    expect([instantText(null), instantText("")]).toEqual(["", ""]);
  });
  it("can be shown as a day or a time of day", () => {
    const at = new Date(2026, 5, 1, 4, 5, 6);
    expect([dayText(at.toISOString()), clockText(at.getTime())]).toEqual(["1 Jun 2026", "04:05:06"]);
  });
});

it.each([
  [0, "just now"],
  [9_999, "just now"],
  [12_000, "12 s ago"],
  [300_000, "5 min ago"],
])("shows %i ms ago as %s", (ms, text) => {
  expect(agoText(ms)).toBe(text);
});

it("separates the thousands of numbers", () => {
  expect([0, 1_366, 10_000_000].map(numberText)).toEqual(["0", "1,366", "10,000,000"]);
});

describe("the texts of the audit log", () => {
  it("have a filter for every audited action that changes something", () => {
    const calls = Object.entries(adminRoutes).flatMap(([name, { route }]) => (route.startsWith("GET ") ? [] : [name]));
    const commands = Object.values(commandRows).flatMap((rows) =>
      Object.entries<CommandFacts>(rows).flatMap(([name, { isAudited }]) => (isAudited ? [name] : [])),
    );
    const others = [failedAuthentication, refusedCall, "sign-in", "take-over", "expire-session", "create-session"];
    expect([...filteredActions].sort()).toEqual([...new Set([...calls, ...commands, ...others])].sort());
  });

  it("name every action of the filter", () => {
    for (const { label } of actionOptions) expect(label).toMatch(/^[A-Z]/);
  });

  it.each([
    ["failed-authentication", "Failed sign-in"],
    ["list-sessions", "Listed sessions"],
    ["list-members", "Viewed cluster"],
    ["drain-member", "Drained shard"],
    ["create-key", "Created API key"],
    ["replay-dead-letters", "Replayed failed events"],
    ["send-test-event", "Sent test event"],
    ["some-day", "some-day"],
    ["unknown", "unknown"],
  ])("name the action %s", (what, text) => {
    expect(actionText(what)).toBe(text);
  });
  it.each([
    ["configured-1", "API_KEYS\u00a0#1"],
    ["cluster", "Cluster"],
    ["session", "Session secret"],
    ["6b084432cb8c3efeb5bc", "6b084432cb8c3efeb5bc"],
  ])("name the actor %s", (who, text) => {
    expect(actorText(who)).toBe(text);
  });
});

it("names the key of a sign-in link, and keys without a label", () => {
  expect(["signed in by a one-time code", "", "worker"].map(labelText)).toEqual(["Console sign-in", "Unlabelled", "worker"]);
});
