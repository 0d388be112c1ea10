import type { proto } from "@whiskeysockets/baileys";
import type { User } from "../whatsapp-backend.js";

/** One message in a chat of an account. */
export interface KnownMessage {
  /** JID of the chat. */
  readonly chat: string;
  readonly author: User;
  readonly message: proto.IMessage;
  /** Unix seconds. */
  readonly at: number;
}

const keptPerAccount = 2_000;

/** The newest messages in each account's chats, by id. Not stored: after a restart they are unknown. */
export class MessageBook {
  private readonly byAccount = new Map<string, Map<string, KnownMessage>>();

  add(account: string, id: string, message: KnownMessage): void {
    const messages = this.byAccount.get(account) ?? new Map<string, KnownMessage>();
    this.byAccount.set(account, messages.set(id, message));
    const [oldest] = messages.keys();
    if (oldest !== undefined && messages.size > keptPerAccount) messages.delete(oldest);
  }

  get(account: string, id: string): KnownMessage | undefined {
    return this.byAccount.get(account)?.get(id);
  }
}
