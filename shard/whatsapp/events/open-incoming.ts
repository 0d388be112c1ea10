import type { AccountRefs } from "../../session/message-refs.js";
import type { ConnectorContext } from "../../session/session-context.js";
import { editSecretsIn } from "../history/edit-secrets.js";
import type { WhatsAppLinkPort } from "../media/file-links.js";
import { Incoming } from "./incoming.js";
import type { OwnJids } from "./incoming-stanza.js";
import type { KnownPolls } from "./known-polls.js";
import { MessageEvents } from "./message-events.js";
import { NoticeEvents } from "./notice-events.js";
import { People, type PeopleParts } from "./people.js";
import { UnreadableMessages } from "./unreadable-messages.js";

export interface IncomingParts extends PeopleParts {
  readonly me: () => OwnJids;
  readonly links: WhatsAppLinkPort;
  readonly refs: Pick<AccountRefs, "seal" | "pack">;
  readonly polls: KnownPolls;
  readonly unreadableMs: number;
}

/** Makes the parts that turn what an account receives into events of its webhook. */
export function openIncoming(
  context: ConnectorContext,
  parts: IncomingParts,
): { incoming: Incoming; messages: MessageEvents; unreadable: UnreadableMessages } {
  const { id: session, secrets, updates, log } = context;
  const keepsHistory = context.chatHistory.isOn;
  const requested: ConnectorContext["requestedEvents"] = () => context.requestedEvents();
  const people = new People(parts);
  const { links, refs, polls, me } = parts;
  const editSecrets = async (of: string): Promise<readonly Uint8Array[]> =>
    keepsHistory ? editSecretsIn(await context.chatHistory.read(), of) : [];
  const messages = new MessageEvents({ session, people, links, refs, polls, editSecrets, me, keepsHistory, log });
  const unreadable = new UnreadableMessages({
    secrets,
    idOf: (stanza) => messages.idOf(stanza),
    report: async (stanza) => await messages.unreadable(stanza, await requested()),
    waitMs: parts.unreadableMs,
    isConnected: () => context.state().kind === "connected",
    log,
  });
  const notices = new NoticeEvents(session, people, keepsHistory);
  const incoming = new Incoming({ me: parts.me, requested, updates, messages, notices, unreadable, keepsHistory });
  return { incoming, messages, unreadable };
}
