import { Api } from "telegram";
import type { ChatKind } from "../../../shared/contract/page.js";
import type { ChatMessage } from "../../../shared/contract/telegram/chat.js";
import type { Person } from "../../../shared/contract/telegram/webhook-body.js";
import type { TelegramConnector } from "../connector.js";
import { isBroadcast, markOfPeer, toChatPerson, toPerson } from "../convert.js";
import { messageRecord } from "./message-record.js";

/** A person, group or channel that came with messages. */
interface Known {
  readonly kind: ChatKind;
  readonly person: Person;
}

/** Describes the people and chats of a response, and its messages. */
export class ChatPeople {
  private readonly known = new Map<string, Known>();

  constructor(
    private readonly connector: TelegramConnector,
    { users, chats }: { readonly users: readonly Api.TypeUser[]; readonly chats: readonly Api.TypeChat[] },
  ) {
    for (const user of users)
      if (user instanceof Api.User)
        this.known.set(user.id.toString(), { kind: "person", person: toPerson(user, (id, photo) => connector.profileLink(id, photo)) });
    for (const chat of chats) {
      const person = toChatPerson(chat);
      this.known.set(person.id, { kind: isBroadcast(chat) ? "channel" : "group", person });
    }
  }

  /** Returns `undefined` for a peer that did not come with the response. */
  find(id: string): Known | undefined {
    return this.known.get(id);
  }

  /** Returns a message of this chat. Messages of groups have an author. */
  record(message: Api.Message, { kind, person }: Known): ChatMessage {
    const { connector } = this;
    const { id: session, refs, services, self } = connector;
    const author = kind === "group" ? this.authorOf(message, person) : undefined;
    return messageRecord({ session, links: services.links, refs, self }, message, person, author);
  }

  /** Administrators may write in the name of the group. */
  private authorOf({ fromId }: Api.Message, chat: Person): Person {
    if (!fromId) return chat;
    const id = markOfPeer(fromId);
    return this.find(id)?.person ?? { id, name: "", username: "", phone: "", thumbnail: "" };
  }
}
