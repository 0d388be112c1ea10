import type { ComponentType } from "preact";
import type { TabFacts } from "./shown-tabs.js";
import type { TabProps } from "./tab-props.js";

export interface TabRow extends TabFacts {
  /** Name in the address; empty for the first tab. */
  readonly name: string;
  readonly label: string;
  readonly load: () => Promise<ComponentType<TabProps>>;
}

const loadStory: TabRow["load"] = async () => (await import("./send/story-tab.js")).StoryTab;

/** All tabs of the session page. */
export const tabs: readonly TabRow[] = [
  { name: "", label: "Overview", needs: "read-session", load: async () => (await import("./overview/overview.js")).Overview },
  { name: "chats", linked: true, label: "Chats", needs: "use-session", load: async () => (await import("./chats/chats-tab.js")).ChatsTab },
  { name: "send", linked: true, label: "Send", needs: "use-session", load: async () => (await import("./send/send-tab.js")).SendTab },
  { name: "story", linked: true, label: "Story", needs: "use-session", platform: "telegram", load: loadStory },
  { name: "story", linked: true, label: "Status", needs: "use-session", platform: "whatsapp", load: loadStory },
  {
    name: "groups",
    linked: true,
    label: "Groups",
    needs: "use-session",
    load: async () => (await import("./chats/groups-tab.js")).GroupsTab,
  },
  {
    name: "channels",
    linked: true,
    label: "Channels",
    needs: "use-session",
    load: async () => (await import("./chats/channels-tab.js")).ChannelsTab,
  },
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
  {
    name: "settings",
    label: "Settings",
    needs: "operate-session",
    load: async () => (await import("./settings/settings-tab.js")).SettingsTab,
  },
];
