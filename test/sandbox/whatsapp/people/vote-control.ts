import { createHash } from "node:crypto";
import { proto } from "@whiskeysockets/baileys";
import { ControlError } from "../../control/control-error.js";
import type { Fields } from "../../control/fields.js";
import type { Doc } from "../../control/platform-control.js";
import type { Account } from "../world/account.js";
import { encryptedWithSecret } from "./message-secret.js";
import type { PeopleTools } from "./people-control.js";

/**
 * Votes in a poll of a chat as its other person or as `from`, on the account's phone with `out`: `{account, chat, messageId, options,
 * from?, out?}`. `options` are texts; an empty list withdraws the vote.
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
  const voter = chats.jidIn(account, chat, actor);
  const vote = encryptedWithSecret(Buffer.from(proto.Message.PollVoteMessage.encode(voteOf).finish()), {
    ...{ use: "Poll Vote", messageId, secret, author: chats.jidIn(account, chat, known.author), actor: voter },
    additional: Buffer.from(`${messageId}\0${voter}`),
  });
  const key = messages.keyFor(account, chat, messageId, { author: known.author, actor });
  await messages.deliver(account, chat, actor, {
    pollUpdateMessage: { pollCreationMessageKey: key, vote, senderTimestampMs: Date.now() },
  });
  return { account: account.account, chatId: chat, messageId, options };
}
