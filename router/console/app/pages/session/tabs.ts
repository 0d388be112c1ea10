import type { ComponentType } from "preact";
import type { Action, Platform } from "../../api/rows.js";
import type { TabProps } from "./tab-props.js";

export interface TabRow {
  /** Name in the address; empty for the first tab. */
  readonly name: string;
  readonly label: string;
  readonly needs: Action;
  /** The only platform that has the tab; absent for both. */
  readonly platform?: Platform;
  readonly load: () => Promise<ComponentType<TabProps>>;
}

const loadStory: TabRow["load"] = async () => (await import("./send/story-tab.js")).StoryTab;

/** Tabs of the session page. */
export const tabs: readonly TabRow[] = [
  { name: "", label: "Overview", needs: "read-session", load: async () => (await import("./overview/overview.js")).Overview },
  { name: "send", label: "Send", needs: "use-session", load: async () => (await import("./send/send-tab.js")).SendTab },
  { name: "story", label: "Story", needs: "use-session", platform: "telegram", load: loadStory },
  { name: "story", label: "Status", needs: "use-session", platform: "whatsapp", load: loadStory },
  { name: "groups", label: "Groups", needs: "use-session", load: async () => (await import("./chats/groups-tab.js")).GroupsTab },
  { name: "channels", label: "Channels", needs: "use-session", load: async () => (await import("./chats/channels-tab.js")).ChannelsTab },
  {
    name: "webhook",
    label: "Webhook",
    needs: "use-session",
    load: async () => (await import("./webhook-tab.js")).WebhookTab,
  },
  {
    name: "dead-letters",
    label: "Failed events",
    needs: "read-session",
    load: async () => (await import("../webhooks/dead-letters-tab.js")).DeadLettersTab,
  },
];
