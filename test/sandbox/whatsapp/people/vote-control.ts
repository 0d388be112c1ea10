import { createCipheriv, createHash, createHmac, randomBytes } from "node:crypto";
import { proto } from "@whiskeysockets/baileys";
import { ControlError } from "../../control/control-error.js";
import type { Fields } from "../../control/fields.js";
import type { Doc } from "../../control/platform-control.js";
import type { Account } from "../world/account.js";
import type { PeopleTools } from "./people-control.js";

/**
 * Votes in a poll of a chat as its other person or as `from`, on the account's phone with `out`: `{account, chat, messageId, options,
 * from?, out?}`. `options` are texts; an empty list withdraws the vote. Encrypted as whatsmeow's msgsecret.go, encryptMsgSecret, does.
 */
export async function voteInPoll({ chats, messages }: PeopleTools, account: Account, fields: Fields): Promise<Doc> {
  const chat = chats.chat(account, fields);
  const messageId = fields.text("messageId");
  const known = messages.known(account, chat, messageId);
  const secret = known?.message.messageContextInfo?.messageSecret;
  if (known === undefined || !secret) throw new ControlError(404, "poll not found");
  const actor = fields.flag("out") ? { phone: account.phone, lid: account.lid } : chats.author(account, chat, fields);
  const options = fields.texts("options");
  const voteOf = proto.Message.PollVoteMessage.create({ selectedOptions: options.map((one) => createHash("sha256").update(one).digest()) });
  const vote = encryptedVote(Buffer.from(proto.Message.PollVoteMessage.encode(voteOf).finish()), {
    messageId,
    secret,
    creator: chats.jidIn(account, chat, known.author),
    voter: chats.jidIn(account, chat, actor),
  });
  const key = messages.keyFor(account, chat, messageId, { author: known.author, actor });
  await messages.deliver(account, chat, actor, {
    pollUpdateMessage: { pollCreationMessageKey: key, vote, senderTimestampMs: Date.now() },
  });
  return { account: account.account, chatId: chat, messageId, options };
}

interface VoteKey {
  readonly messageId: string;
  readonly secret: Uint8Array;
  /** JIDs without a device. */
  readonly creator: string;
  readonly voter: string;
}

function encryptedVote(vote: Buffer, { messageId, secret, creator, voter }: VoteKey): proto.Message.IPollEncValue {
  const extracted = createHmac("sha256", Buffer.alloc(32)).update(secret).digest();
  const info = Buffer.concat([Buffer.from(`${messageId}${creator}${voter}Poll Vote`), Buffer.from([1])]);
  const key = createHmac("sha256", extracted).update(info).digest();
  const encIv = randomBytes(12);
  const cipher = createCipheriv("aes-256-gcm", key, encIv);
  cipher.setAAD(Buffer.from(`${messageId}\0${voter}`));
  return { encPayload: Buffer.concat([cipher.update(vote), cipher.final(), cipher.getAuthTag()]), encIv };
}
