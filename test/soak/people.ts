import type { TelegramSide } from "../harness/telegram-side.js";

/** A message that can still be changed. */
export interface Live {
  readonly id: string;
  readonly chat: string;
  readonly out: boolean;
  edits: number;
  /** Key of the event, as `keyOfEvent` builds it, whose arrival confirms all changes of this message. */
  last: string;
}

export interface PeopleOptions {
  readonly side: TelegramSide;
  readonly account: string;
  /**
   * Returns whether a message may change again: a difference contains only its current state, so undelivered intermediate states would be
   * lost.
   */
  readonly isSettled: (message: Readonly<Live>) => boolean;
  readonly random: () => number;
}

/** Strangers write as well as contacts; some of them have a username, some a photo, one is deleted. */
const strangers = ["6500000001", "6500000002", "6500000003", "6500000007"] as const;
const livesKept = 200;

/** Plays everybody in the private chats of one account, including its own phone: writes, edits, deletes, reads and reacts at random. */
export class People {
  private readonly live: Live[] = [];
  private readonly unread = new Map<string, { out: boolean; id: string }[]>();
  /** Messages with a reaction that no later message has followed yet. */
  private reacted: Live[] = [];
  private written = 0;

  constructor(private readonly options: PeopleOptions) {}

  /** Performs one random action. */
  async act(): Promise<void> {
    const dice = this.options.random();
    if (dice < 0.2 && (await this.edit())) return;
    if (dice >= 0.2 && dice < 0.3 && (await this.delete())) return;
    if (dice >= 0.3 && dice < 0.42 && (await this.read())) return;
    if (dice >= 0.42 && dice < 0.46 && (await this.react())) return;
    await this.write();
  }

  async write(): Promise<void> {
    const { account, random } = this.options;
    this.written++;
    const out = random() < 0.15;
    const chat = random() < 0.5 ? undefined : strangers[Math.floor(random() * strangers.length)];
    const media = random() < 0.15 ? ["photo", "document", "location", "contact", "audio"][Math.floor(random() * 5)] : undefined;
    const text = `message ${this.written} of ${account} 👋`;
    const said = await this.call("/people/send", { chat, media, text, out });
    const [id, peer] = [String(said["messageId"]), String(said["chatId"])];
    const last = ["new", peer, id, text, out].join("|");
    this.live.push({ id, chat: peer, out, edits: 0, last });
    for (const message of this.reacted.splice(0)) message.last = last;
    if (this.live.length > livesKept) this.live.shift();
    this.unread.set(peer, [...(this.unread.get(peer) ?? []), { out, id }].slice(-20));
  }

  /** Returns a person who has written to the account. */
  async correspondent(): Promise<string> {
    if (this.unread.size === 0) await this.write();
    return [...this.unread.keys()][0] ?? "";
  }

  private async edit(): Promise<boolean> {
    const message = this.settled();
    if (message === undefined) return false;
    const text = `edit ${++message.edits} of message ${message.id} ✏️`;
    message.last = ["edited", message.chat, message.id, text, message.out].join("|");
    await this.call("/people/edit", { messageId: message.id, text });
    return true;
  }

  private async react(): Promise<boolean> {
    const message = this.settled();
    if (message === undefined) return false;
    // A reaction has no event, and a difference would merge it with a later edit. The next message confirms that the reaction arrived.
    message.last = "";
    this.reacted.push(message);
    await this.call("/people/edit", { messageId: message.id, reaction: this.options.random() < 0.7 ? "👍" : "" });
    return true;
  }

  private async delete(): Promise<boolean> {
    const message = this.settled();
    if (message === undefined) return false;
    this.live.splice(this.live.indexOf(message), 1);
    await this.call("/people/delete", { messageId: message.id });
    return true;
  }

  /** Reads messages: the others read those of the account's phone, or the account reads theirs. */
  private async read(): Promise<boolean> {
    const { random } = this.options;
    const chats = [...this.unread.keys()];
    const chat = chats[Math.floor(random() * chats.length)];
    const inbox = random() < 0.7;
    const waiting = chat === undefined ? [] : (this.unread.get(chat) ?? []);
    const newest = waiting.findLast(({ out }) => out !== inbox);
    if (chat === undefined || newest === undefined) return false;
    this.unread.set(
      chat,
      waiting.filter(({ out, id }) => out === inbox || Number(id) > Number(newest.id)),
    );
    await this.call("/people/read", { chat, messageId: newest.id, inbox });
    return true;
  }

  private settled(): Live | undefined {
    const ready = this.live.filter((message) => this.options.isSettled(message));
    return ready[Math.floor(this.options.random() * ready.length)];
  }

  private async call(path: string, body: object): Promise<Record<string, unknown>> {
    const answer = await this.options.side.post(path, { account: this.options.account, ...body });
    if (answer.status !== 200) throw new Error(`${path}: ${answer.status} ${JSON.stringify(answer.body)}`);
    return answer.body as Record<string, unknown>;
  }
}
