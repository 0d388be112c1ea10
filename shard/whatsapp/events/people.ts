import type { SignalKeyStore } from "@whiskeysockets/baileys";
import type { WhatsAppChat } from "../../../shared/contract/whatsapp/webhook-body.js";
import type { AddressBook } from "../address-book.js";
import { phoneOf } from "../jid.js";
import { storedOtherJid } from "../other-names.js";

/** What a stanza says of a person beside the JID. */
export interface Shown {
  readonly pushName?: string;
  readonly otherJid?: string;
  readonly username?: string;
}

export interface PeopleParts {
  readonly book: Pick<AddressBook, "findOne">;
  readonly keys: () => Pick<SignalKeyStore, "get">;
  /** Returns a group's subject if it is in memory. */
  readonly subjectOf: (group: string) => string | undefined;
}

/** Describes people and groups for events. Reads only what is stored: an event never makes a request to the platform. */
export class People {
  constructor(private readonly stored: PeopleParts) {}

  async person(jid: string, { pushName = "", otherJid = "", username = "" }: Shown): Promise<WhatsAppChat> {
    if (jid === "") return { ...unknownChat(jid), name: pushName, username };
    const isLid = jid.endsWith("@lid");
    const [entry, mapped] = await Promise.all([
      this.stored.book.findOne(jid),
      otherJid === "" ? storedOtherJid(this.stored.keys(), jid) : otherJid,
    ]);
    const phone = phoneOf(isLid ? mapped : jid) || (entry?.phone ?? "");
    const lid = isLid ? jid : mapped.endsWith("@lid") ? mapped : (entry?.lid ?? "");
    return { id: jid, name: entry?.name === undefined || entry.name === "" ? pushName : entry.name, username, phone, lid, thumbnail: "" };
  }

  group(jid: string): WhatsAppChat {
    return { ...unknownChat(jid), name: this.stored.subjectOf(jid) ?? "" };
  }
}

export function unknownChat(jid: string): WhatsAppChat {
  return { id: jid, name: "", username: "", phone: phoneOf(jid), lid: jid.endsWith("@lid") ? jid : "", thumbnail: "" };
}
