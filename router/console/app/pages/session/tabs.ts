import type { ComponentType } from "preact";
import type { SessionRecord } from "../../../../../shared/contract/session.js";
import type { Action, Platform, SessionRow } from "../../api/rows.js";
import type { SessionName } from "../../api/session-call.js";

/** What a part of a session's page is given. */
export interface TabProps {
  readonly session: SessionName;
  readonly row: SessionRow;
  /** `GET /session`; `undefined` for a key that may not use the session. */
  readonly record: SessionRecord | undefined;
  /** Reads both again. */
  readonly reload: () => void;
  /** Of a page of one chat. */
  readonly chat: string | undefined;
  readonly query: Readonly<Record<string, string>>;
}

export interface TabRow {
  /** In the address; empty: the first one. */
  readonly name: string;
  readonly label: string;
  readonly needs: Action;
  /** Where it is not there on both. */
  readonly platform?: Platform;
  readonly load: () => Promise<ComponentType<TabProps>>;
}

/** The parts of a session's page. */
export const tabs: readonly TabRow[] = [
  { name: "", label: "Overview", needs: "read-session", load: async () => (await import("./overview/overview.js")).Overview },
  { name: "send", label: "Send", needs: "use-session", load: async () => (await import("./send/send-tab.js")).SendTab },
  { name: "story", label: "Story", needs: "use-session", load: async () => (await import("./send/story-tab.js")).StoryTab },
  { name: "groups", label: "Groups", needs: "use-session", load: async () => (await import("./chats/groups-tab.js")).GroupsTab },
  { name: "channels", label: "Channels", needs: "use-session", load: async () => (await import("./chats/channels-tab.js")).ChannelsTab },
  {
    name: "webhook",
    label: "Webhook",
    needs: "use-session",
    platform: "telegram",
    load: async () => (await import("./webhook-tab.js")).WebhookTab,
  },
  {
    name: "dead-letters",
    label: "Dead letters",
    needs: "read-session",
    platform: "telegram",
    load: async () => (await import("../webhooks/dead-letters-tab.js")).DeadLettersTab,
  },
];
