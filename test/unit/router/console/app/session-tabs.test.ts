import { expect, it } from "vitest";
import { tabsOf } from "../../../../../router/console/app/pages/session/tabs.js";
import { actionsOf } from "../../../../../router/tenant/judge.js";

type Of = Parameters<typeof tabsOf>[0];

it.each<[Of["platform"], Of["state"], "admin" | "read", string[]]>([
  ["telegram", "connected", "admin", ["Overview", "Send", "Story", "Groups", "Channels", "Webhook", "Failed events", "Settings"]],
  ["whatsapp", "disconnected", "admin", ["Overview", "Send", "Status", "Groups", "Channels", "Settings"]],
  ["telegram", "awaiting-qr", "admin", ["Overview", "Webhook", "Failed events", "Settings"]],
  ["whatsapp", "awaiting-password", "admin", ["Overview", "Settings"]],
  ["telegram", "connected", "read", ["Overview", "Failed events"]],
])("a %s session that is %s shows the role %s what works", (platform, state, role, labels) => {
  expect(tabsOf({ platform, state }, (action) => actionsOf(role).includes(action)).map(({ label }) => label)).toEqual(labels);
});
