import { expect, it } from "vitest";
import { shownTabs, type TabFacts } from "../../../../../router/console/app/pages/session/shown-tabs.js";
import { actionsOf } from "../../../../../router/tenant/judge.js";

const tabs: readonly (TabFacts & { readonly label: string })[] = [
  { label: "Overview", needs: "read-session" },
  { label: "Send", needs: "use-session", linked: true },
  { label: "Webhook", needs: "use-session", platform: "telegram" },
  { label: "Settings", needs: "operate-session" },
];

it.each<[Parameters<typeof shownTabs>[1], "admin" | "read", string[]]>([
  [{ platform: "telegram", state: "connected" }, "admin", ["Overview", "Send", "Webhook", "Settings"]],
  [{ platform: "whatsapp", state: "disconnected" }, "admin", ["Overview", "Send", "Settings"]],
  [{ platform: "telegram", state: "awaiting-qr" }, "admin", ["Overview", "Webhook", "Settings"]],
  [{ platform: "whatsapp", state: "awaiting-password" }, "admin", ["Overview", "Settings"]],
  [{ platform: "telegram", state: "connected" }, "read", ["Overview"]],
])("shows the working tabs of %j to the role %s", (session, role, labels) => {
  expect(shownTabs(tabs, session, (action) => actionsOf(role).includes(action)).map(({ label }) => label)).toEqual(labels);
});
