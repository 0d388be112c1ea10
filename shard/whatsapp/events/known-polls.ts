import { createHash } from "node:crypto";
import { decryptPollVote, type proto } from "@whiskeysockets/baileys";
import typia from "typia";
import { SerialQueue } from "../../../shared/flow/serial-queue.js";
import type { SecretMap } from "../../session/session-context.js";

/** What votes in a poll need. Votes are encrypted with the poll's secret, and name options by their hashes. */
export interface KnownPoll {
  readonly id: string;
  readonly chat: string;
  /** JIDs of the person who made the poll. */
  readonly creators: readonly string[];
  readonly options: readonly string[];
  readonly secret: Uint8Array;
}

/** The newest polls that an account has sent or seen, stored with the session's secrets. */
export class KnownPolls {
  private readonly changes = new SerialQueue();

  constructor(
    private readonly secrets: Pick<SecretMap, "getMany" | "apply">,
    private readonly now: () => number = Date.now,
  ) {}

  /**
   * Keeps a poll, unless it is too large for one that an app made. The first poll of an id stays: another sender cannot replace it. Durable
   * before it resolves.
   */
  async add({ id, chat, creators, options, secret }: KnownPoll): Promise<void> {
    const poll: StoredPoll = {
      chat,
      creators: [...creators],
      options: options.slice(0, optionsMax),
      secret: Buffer.from(secret).toString("base64"),
    };
    const bytes = Buffer.from(JSON.stringify(poll));
    if (bytes.length > pollBytesMax || id.length > idMax) return;
    const field = fieldOf(id);
    await this.changes.run(async () => {
      const [index, known] = await this.secrets.getMany([indexField, field]);
      if (known !== undefined) return;
      const oldest = this.now() - keptMs;
      const listed: Index = [...(parseIndex(index?.toString() ?? "[]") ?? []), [id, this.now()]];
      const kept = listed.filter(([, at]) => at > oldest).slice(-pollsMax);
      const dropped = listed.filter((one) => !kept.includes(one));
      await this.secrets.apply(
        new Map<string, Buffer | undefined>([
          [indexField, Buffer.from(JSON.stringify(kept))],
          [field, bytes],
          ...dropped.map(([one]) => [fieldOf(one), undefined] as const),
        ]),
      );
    });
  }

  async find(id: string): Promise<KnownPoll | undefined> {
    const [stored] = await this.secrets.getMany([fieldOf(id)]);
    const poll = stored === undefined ? null : parsePoll(stored.toString());
    return poll === null ? undefined : { ...poll, id, secret: Buffer.from(poll.secret, "base64") };
  }
}

/**
 * Returns the texts of the chosen options; `undefined` if the vote was not encrypted for this poll. A person has two JIDs, and the key
 * depends on the one that the voter's app uses.
 */
export function chosenOptions(
  poll: KnownPoll,
  { encPayload, encIv }: proto.Message.IPollEncValue,
  voters: readonly string[],
): string[] | undefined {
  if (!encPayload || !encIv) return undefined;
  for (const pollCreatorJid of poll.creators)
    for (const voterJid of voters) {
      const vote = opened(() =>
        decryptPollVote({ encPayload, encIv }, { pollCreatorJid, voterJid, pollMsgId: poll.id, pollEncKey: poll.secret }),
      );
      if (vote === undefined) continue;
      const chosen = new Set((vote.selectedOptions ?? []).map((hash) => Buffer.from(hash).toString("hex")));
      return poll.options.filter((option) => chosen.has(createHash("sha256").update(option).digest("hex")));
    }
  return undefined;
}

/** Returns what a message that makes a poll keeps; `undefined` for other messages, and for polls that no one can vote in. */
export function pollIn(message: proto.IMessage): Pick<KnownPoll, "options" | "secret"> | undefined {
  const poll = pollContentOf(message);
  const secret = message.messageContextInfo?.messageSecret;
  if (!poll || secret?.length !== secretBytes) return undefined;
  return { options: (poll.options ?? []).map(({ optionName }) => optionName ?? ""), secret };
}

/** Returns the poll that a message makes, in any of its versions. */
export function pollContentOf(message: proto.IMessage): proto.Message.IPollCreationMessage | null | undefined {
  return (
    message.pollCreationMessage ??
    message.pollCreationMessageV2 ??
    message.pollCreationMessageV3 ??
    message.pollCreationMessageV4?.message?.pollCreationMessage ??
    message.pollCreationMessageV5
  );
}

/** A vote with another key does not open. */
function opened(open: () => proto.Message.PollVoteMessage): proto.Message.PollVoteMessage | undefined {
  try {
    return open();
  } catch {
    return undefined;
  }
}

type Index = [id: string, keptAt: number][];
type StoredPoll = { readonly chat: string; readonly creators: string[]; readonly options: string[]; readonly secret: string };

const parseIndex = typia.json.createIsParse<Index>();
const parsePoll = typia.json.createIsParse<StoredPoll>();
const indexField = "polls";
const fieldOf = (id: string): string => `poll ${id}`;
const pollsMax = 100;
const keptMs = 30 * 24 * 3_600_000;
const optionsMax = 100;
/** Apps take 12 options of 100 characters. A sender can choose both freely. */
const pollBytesMax = 64 * 1024;
const idMax = 256;
const secretBytes = 32;
