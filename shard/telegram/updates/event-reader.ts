import type { Api } from "telegram";
import type { Ending } from "../../../shared/flow/ending.js";
import type { Person, PrivateMessage, WebhookData, WebhookEventType } from "../../../shared/contract/telegram/webhook-body.js";
import type { Log } from "../../../shared/log/logger.js";
import type { UpdateEvent, UpdateLog } from "../../session/session-context.js";
import { messageRecord, type RecordParts } from "../chats/message-record.js";
import type { Client } from "../client.js";
import { isoDate, markOfPeer } from "../convert.js";
import { splitMarkedId } from "../chats/chat-reference.js";
import { remembered, type Change } from "./change.js";
import { eventId } from "./event-id.js";
import { groupChangeOf } from "./group-change.js";
import { LastEdits, stateOf } from "./last-edits.js";
import { compareReactions, packReactions, type ReactionMark, unpackReactions } from "./last-reactions.js";
import type { PeerStore } from "../peers.js";
import { compareVotes, type FollowedPoll, followedPoll, packPoll, pollName, readVotes, unpackPoll, withVotes } from "./poll-votes.js";
import { type People, unknownPerson } from "./people.js";

/** One step of the update log, without its cursor. */
export interface ReadChanges {
  readonly events: readonly UpdateEvent[];
  /** Chat ids by message id, for every message of private chats and basic groups among the changes. */
  readonly messages: ReadonlyMap<string, string>;
  /** Marks of the last edit and of the reactions, for every message that has changed. */
  readonly edits: ReadonlyMap<string, string>;
}

export interface EventReaderOptions extends RecordParts {
  readonly log: Pick<UpdateLog, "chatsOf" | "editsOf">;
  readonly people: People;
  readonly peers: Pick<PeerStore, "find">;
  readonly logger: Log;
}

/** Turns changes into events: finds the chats of deleted messages and the names of people, and builds the webhook payload. */
export class EventReader {
  constructor(private readonly options: EventReaderOptions) {}

  /** Returns events in the order of the changes. Rejects when the chats cannot be read or the connection is lost. */
  async read(client: Client, changes: readonly Change[], signal: Ending): Promise<ReadChanges> {
    if (changes.length === 0) return { events: [], messages: new Map(), edits: new Map() };
    const messages = remembered(changes);
    const located = await this.withChats(changes, messages);
    const marks = await this.marksOf(changes);
    const steps: Step[] = [];
    for (const change of latestOfPolls(located))
      if (change.kind === "poll") steps.push(...(await this.votesIn(client, change, marks, signal)));
      else steps.push(...this.withReactions(change, marks));
    const people = await this.options.people.describe(
      client,
      new Set(steps.filter(isReported).flatMap((step) => this.peopleIn(step))),
      signal,
    );
    return {
      events: steps.flatMap((step) => this.eventOf(step, people, marks.edits)),
      messages,
      edits: new Map([...marks.edits.noted, ...marks.noted]),
    };
  }

  private async marksOf(changes: readonly Change[]): Promise<Marks> {
    const ids = [...new Set(changes.flatMap((change) => (change.kind === "edited" ? [nameOf(change.chat, change.message.id)] : [])))];
    const reacted = [...new Set(changes.flatMap((change) => (change.kind === "reacted" ? [reactionsName(change)] : [])))];
    const made = changes.flatMap((change) => (change.kind === "new" ? (followedPoll(change.message, change.chat) ?? []) : []));
    const voted = changes.flatMap((change) => (change.kind === "poll" ? [pollName(change.poll)] : []));
    const polled = [...new Set([...made.map(({ name }) => name), ...voted])];
    const names = [...ids, ...reacted, ...polled];
    const stored = names.length === 0 ? [] : await this.options.log.editsOf(names);
    const reactions = new Map(
      reacted.flatMap((name, at) => {
        const mark = unpackReactions(stored[ids.length + at]);
        return mark === undefined ? [] : [[name, mark] as const];
      }),
    );
    const polls = new Map(
      polled.flatMap((name, at) => {
        const poll = unpackPoll(stored[ids.length + reacted.length + at]);
        return poll === undefined ? [] : [[name, poll] as const];
      }),
    );
    const noted = new Map<string, string>();
    for (const { name, poll } of made) {
      // A forwarded poll is the same poll, and its votes are known already.
      if (polls.has(name)) continue;
      polls.set(name, poll);
      noted.set(name, packPoll(poll));
    }
    return { edits: new LastEdits(ids, stored.slice(0, ids.length)), reactions, polls, noted };
  }

  /** Splits each deletion by chat. Deletions of unknown messages are dropped. */
  private async withChats(changes: readonly Change[], messages: ReadonlyMap<string, string>): Promise<Located[]> {
    const missing = [
      ...new Set(
        changes.flatMap((change) => (change.kind === "deleted" && change.chat === undefined && !change.own ? change.ids.map(String) : [])),
      ),
    ].filter((id) => !messages.has(id));
    const found = missing.length === 0 ? [] : await this.options.log.chatsOf(missing);
    const chats = new Map([...messages, ...missing.flatMap((id, at) => (found[at] === undefined ? [] : [[id, found[at]] as const]))]);
    return changes.flatMap((change): Located[] => {
      if (change.kind !== "deleted") return [change];
      if (change.chat !== undefined) return [{ ...change, chat: change.chat }];
      const byChat = new Map<string, number[]>();
      for (const id of change.ids) {
        const chat = chats.get(String(id));
        if (chat !== undefined) byChat.set(chat, [...(byChat.get(chat) ?? []), id]);
      }
      return [...byChat].map(([chat, ids]) => ({ ...change, chat, ids }));
    });
  }

  /** Splits a change of a message's reactions by person. The account's own calls are noted, but have no event. */
  private withReactions(change: Exclude<Located, { kind: "poll" }>, { reactions, noted }: Marks): Step[] {
    if (change.kind !== "reacted") return [change];
    const { chat, message, date, since, own } = change;
    const name = reactionsName(change);
    const before = reactions.get(name);
    const other = splitMarkedId(chat).kind === "user" ? chat : undefined;
    const seen = { other, self: this.options.self(), date, since };
    const { reactors, changed } = compareReactions(change.reactions, before?.reactors, seen);
    if (before === undefined ? reactors.size === 0 : changed.length === 0) return [];
    let event = before?.event ?? "";
    const steps = changed.map(({ person, emoji, at }): Step => {
      event = eventId(this.options.session, "message.reaction", chat, [message, person, emoji, ...(event === "" ? [] : [event])]);
      return { kind: "reaction", chat, message, person, emoji, date: at, id: event, own };
    });
    const mark = { reactors, event };
    reactions.set(name, mark);
    noted.set(name, packReactions(mark));
    return steps;
  }

  /** Reads the votes of a poll whose results changed, and compares them with those known before. */
  private async votesIn(
    client: Client,
    { poll: id, date }: Extract<Change, { kind: "poll" }>,
    { polls, noted }: Marks,
    signal: Ending,
  ): Promise<Step[]> {
    const name = pollName(id);
    const poll = polls.get(name);
    const read = poll && (await readVotes(client, poll, this.options.peers, signal));
    if (poll === undefined || read === undefined) return [];
    this.options.people.learn(read.users);
    const { chat, message } = poll;
    const changed = compareVotes(poll.votes, { ...read, date });
    let { event } = poll;
    const steps = changed.map(({ person, chosen, at }): Step => {
      event = eventId(this.options.session, "poll.vote", chat, [message, person, ...chosen, ...(event === "" ? [] : [event])]);
      const options = poll.options.flatMap(([option, text]) => (chosen.includes(option) ? [text] : []));
      return { kind: "vote", chat, message, person, options, date: at, id: event, own: false };
    });
    if (steps.length === 0) return [];
    const next = { ...poll, votes: withVotes(poll.votes, changed), event };
    polls.set(name, next);
    noted.set(name, packPoll(next));
    return steps;
  }

  private peopleIn(step: Reported): string[] {
    switch (step.kind) {
      case "new":
      case "edited":
        return [step.chat, ...authorOf(step.chat, step.message)];
      case "service":
        return [step.chat, ...authorOf(step.chat, step.message)];
      case "reaction":
      case "vote":
        return splitMarkedId(step.chat).kind === "user" ? [step.chat] : [step.chat, step.person];
      default:
        return [step.chat];
    }
  }

  /** A change that fails to build is a defect. It is skipped, so that it does not block the changes after it. */
  private eventOf(step: Step, people: ReadonlyMap<string, Person>, edits: LastEdits): UpdateEvent[] {
    // Own edits pass: the edit is recorded, so that a later reaction is not taken for an edit.
    if (step.kind === "sent" || (step.own && step.kind !== "edited")) return [];
    try {
      const event = this.event(step, (id) => people.get(id) ?? unknownPerson(id), edits);
      return event === undefined || step.own ? [] : [event];
    } catch (error) {
      this.options.logger.error({ err: error, kind: step.kind }, "event conversion failed");
      return [];
    }
  }

  /** Returns `undefined` when the update of an edited message is no edit, such as a reaction. */
  private event(change: Reported, whoIs: (id: string) => Person, edits: LastEdits): UpdateEvent | undefined {
    const { chat } = change;
    const who = whoIs(chat);
    switch (change.kind) {
      case "new": {
        const { message } = change;
        const record = this.record(message, whoIs, chat);
        const type = isGroup(chat) ? (message.post === true ? "channel.message.new" : "group.message.new") : "message.new";
        const event = this.build(type, chat, [message.id], message.date, record);
        if (message.editDate) edits.noteNew(nameOf(chat, message.id), record, event.id);
        return event;
      }
      case "edited": {
        const { message, since } = change;
        const editedAt = message.editDate ?? message.date;
        const record = this.record(message, whoIs, chat);
        const name = nameOf(chat, message.id);
        const former = edits.before(name, record);
        if (former === "same" || (former === undefined && editedAt < since - editLateSeconds)) return undefined;
        const type = isGroup(chat) ? "group.message.edited" : "message.edited";
        const event = this.build(type, chat, [message.id, editedAt, stateOf(record), ...(former ?? [])], editedAt, record);
        edits.note(name, record, event.id);
        return event;
      }
      case "deleted":
        // Deletions of channels' posts are not reported.
        if (this.options.people.isBroadcast(chat)) return undefined;
        return this.build(
          isGroup(chat) ? "group.message.deleted" : "message.deleted",
          chat,
          [...change.ids].sort((a, b) => a - b),
          change.date,
          { chat: who, ids: change.ids.map(String) },
        );
      case "read":
        return this.build("message.read", chat, [change.by, change.until], change.date, {
          chat: who,
          until: String(change.until),
          by: change.by,
        });
      case "reaction": {
        const { message, person, emoji, date, id } = change;
        const author = isGroup(chat) ? { author: whoIs(person) } : {};
        const data = { chat: who, ...author, fromMe: person === this.options.self(), messageId: String(message), emoji };
        return { id, type: "message.reaction", created: isoDate(date), data } satisfies UpdateEvent;
      }
      case "vote": {
        const { message, person, options, date, id } = change;
        const author = isGroup(chat) ? { author: whoIs(person) } : {};
        const data = { chat: who, ...author, fromMe: person === this.options.self(), messageId: String(message), options: [...options] };
        return { id, type: "poll.vote", created: isoDate(date), data } satisfies UpdateEvent;
      }
      case "service": {
        const { message } = change;
        const [authorId = ""] = authorOf(chat, message);
        const changed = groupChangeOf(message, authorId);
        if (changed === undefined) return undefined;
        return this.build("group.changed", chat, ["service", message.id], message.date, { chat: who, author: whoIs(authorId), ...changed });
      }
      case "role": {
        const { member, isAdmin, version, date } = change;
        const data = { chat: who, author: unknownPerson(""), change: isAdmin ? "promote" : "demote", members: [member], value: "" };
        return this.build("group.changed", chat, ["role", member, data.change, version], date, data);
      }
      default:
        return change satisfies never;
    }
  }

  private build<T extends WebhookEventType>(
    type: T,
    chat: string,
    parts: readonly (string | number)[],
    date: number,
    data: WebhookData[T],
  ): UpdateEvent {
    return { id: eventId(this.options.session, type, chat, parts), type, created: isoDate(date), data };
  }

  private record(message: Api.Message, whoIs: (id: string) => Person, chat: string): PrivateMessage {
    const [author] = message.post === true ? [] : authorOf(chat, message);
    return messageRecord(this.options, message, whoIs(chat), author === undefined ? undefined : whoIs(author));
  }
}

interface Marks {
  readonly edits: LastEdits;
  /** By name; later changes of the same step see the marks of earlier ones. */
  readonly reactions: Map<string, ReactionMark>;
  readonly polls: Map<string, FollowedPoll>;
  /** Marks of reactions and polls, to be stored with the step. */
  readonly noted: Map<string, string>;
}

type Located = Exclude<Change, { kind: "deleted" }> | (Extract<Change, { kind: "deleted" }> & { readonly chat: string });

/** One person's reaction. */
interface ReactionStep {
  readonly kind: "reaction";
  readonly chat: string;
  readonly message: number;
  readonly person: string;
  readonly emoji: string;
  readonly date: number;
  /** Id of the event. */
  readonly id: string;
  readonly own: boolean;
}

/** One person's vote. `options`: texts. */
interface VoteStep extends Omit<ReactionStep, "kind" | "emoji"> {
  readonly kind: "vote";
  readonly options: readonly string[];
}

type Step = Exclude<Located, { kind: "reacted" | "poll" }> | ReactionStep | VoteStep;
type Reported = Exclude<Step, { kind: "sent" }>;

/** Returns the changes without those of a poll before its last one: the votes are read once and are the newest. */
function latestOfPolls(changes: readonly Located[]): Located[] {
  const last = new Map(changes.flatMap((change, at) => (change.kind === "poll" ? [[change.poll, at] as const] : [])));
  return changes.filter((change, at) => change.kind !== "poll" || last.get(change.poll) === at);
}

/** The session's own actions produce no event, because the caller already knows of them. */
function isReported(step: Step): step is Reported {
  return step.kind !== "sent" && !step.own;
}

function isGroup(chat: string): boolean {
  return splitMarkedId(chat).kind !== "user";
}

/** Returns the author of a group's message: the group itself if an administrator writes anonymously. None in a private chat. */
function authorOf(chat: string, { fromId }: Api.Message | Api.MessageService): string[] {
  if (!isGroup(chat)) return [];
  return [fromId ? markOfPeer(fromId) : chat];
}

/** Names a message among all of the account: each channel and supergroup has message ids of its own. */
function nameOf(chat: string, message: number): string {
  return splitMarkedId(chat).kind === "channel" ? `${chat} ${message}` : String(message);
}

function reactionsName({ chat, message }: { readonly chat: string; readonly message: number }): string {
  return `reactions ${nameOf(chat, message)}`;
}

/** Tolerance for differing server clocks and delayed pushes. */
const editLateSeconds = 300;
