import { isJidGroup, isJidNewsletter } from "@whiskeysockets/baileys";
import type { WhatsAppChat } from "../../../shared/contract/whatsapp/webhook-body.js";
import { endsWithin } from "../../../shared/flow/ends-within.js";
import { mapBounded } from "../../flow/map-bounded.js";
import { toChannel } from "../channel/channel-node.js";
import { findChannel } from "../commands/find-channel.js";
import type { Client } from "../client.js";
import type { WhatsAppConnector } from "../connector.js";
import { rememberGroup } from "../group/remember-group.js";

/**
 * Fills in names that the chats' messages did not have: people's from the address book, those of some groups and channels from the
 * platform. A name that cannot be read in time stays empty.
 */
export async function namedChats(connector: WhatsAppConnector, client: Client, chats: readonly WhatsAppChat[]): Promise<WhatsAppChat[]> {
  const nameless = chats.filter(({ name }) => name === "");
  const people = nameless.filter(({ id }) => !isShared(id));
  const shared = nameless.filter(({ id }) => isShared(id)).slice(0, readMost);
  const entries = await connector.book.find(people.map(({ id }) => id));
  const names = new Map(people.map(({ id }, index) => [id, entries[index]?.name ?? ""]));
  const reading = mapBounded(shared, readAtOnce, async ({ id }) => {
    names.set(id, await nameOf(connector, client, id).catch(() => ""));
  });
  await endsWithin(reading, readMs);
  return chats.map((chat) => ({ ...chat, name: chat.name || (names.get(chat.id) ?? "") }));
}

const isShared = (id: string): boolean => isJidGroup(id) === true || isJidNewsletter(id) === true;

async function nameOf(connector: WhatsAppConnector, client: Client, id: string): Promise<string> {
  if (isJidGroup(id) === true) return (await rememberGroup(connector.account.groups, client, id)).subject;
  return toChannel(await findChannel(client, id), connector.services.channels.pictureHost).name;
}

/** Most groups and channels whose names one page reads from the platform. */
const readMost = 20;
const readAtOnce = 4;
/** A page without some names is better than none. */
const readMs = 10_000;
