import type { ComponentType } from "preact";
import type { Action, Platform, SessionRow } from "../../api/rows.js";
import { isLinked } from "./is-linked.js";
import type { TabProps } from "./tab-props.js";

export interface TabRow {
  /** Name in the address; empty for the first tab. */
  readonly name: string;
  readonly label: string;
  readonly needs: Action;
  /** The only platform that has the tab; absent for both. */
  readonly platform?: Platform;
  /** The tab works only with an account, connected or not. */
  readonly linked?: true;
  readonly load: () => Promise<ComponentType<TabProps>>;
}

const loadStory: TabRow["load"] = async () => (await import("./send/story-tab.js")).StoryTab;

/** All tabs of the session page. */
const tabs: readonly TabRow[] = [
  { name: "", label: "Overview", needs: "read-session", load: async () => (await import("./overview/overview.js")).Overview },
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
    platform: "telegram",
    load: async () => (await import("./webhook-tab.js")).WebhookTab,
  },
  {
    name: "dead-letters",
    label: "Failed events",
    needs: "read-session",
    platform: "telegram",
    load: async () => (await import("../webhooks/dead-letters-tab.js")).DeadLettersTab,
  },
  {
    name: "settings",
    label: "Settings",
    needs: "operate-session",
    load: async () => (await import("./settings/settings-tab.js")).SettingsTab,
  },
];

/** Returns the tabs of a session for somebody who may do these things. Pure. */
export function tabsOf({ platform, state }: Pick<SessionRow, "platform" | "state">, may: (action: Action) => boolean): readonly TabRow[] {
  return tabs.filter((tab) => may(tab.needs) && [undefined, platform].includes(tab.platform) && (tab.linked !== true || isLinked(state)));
}
