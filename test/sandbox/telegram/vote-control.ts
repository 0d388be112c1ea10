import { ControlError } from "../control/control-error.js";
import type { Fields } from "../control/fields.js";
import type { Doc } from "../control/platform-control.js";
import type { PeopleControl } from "./people-control.js";
import { pollChanged } from "./rpc/polls.js";
import { boxOf } from "./rpc/send-message.js";
import type { Account } from "./world/account.js";
import { unmark } from "./world/ids.js";
import { vote } from "./world/poll.js";

/**
 * Votes in a poll as `from` (in a private chat the other person), or with `out` as the account on its phone: `{account, chat, messageId,
 * options, from?, out?}`. `options` are texts; an empty list withdraws the vote. Everybody sees the new results, but not who voted.
 */
export function voteInPoll(people: PeopleControl, account: Account, fields: Fields): Doc {
  const { world } = people;
  const peer = people.chat(account, fields);
  const message = boxOf(world, account, peer).messages.get(fields.ids("messageId")[0] ?? 0);
  const poll = message?.attachment?.kind === "poll" ? world.polls.get(message.attachment.pollId) : undefined;
  if (message === undefined || poll === undefined || message.peer !== peer) throw new ControlError(404, "poll not found");
  const texts = fields.texts("options");
  const answers = texts.map((text) => poll.answers.findIndex((answer) => answer.text === text));
  if (answers.includes(-1)) throw new ControlError(400, "options must be texts of the poll");
  if (answers.length > 1 && !poll.multiple) throw new ControlError(400, "the poll has one choice");
  const voter = fields.flag("out") ? account.userId : unmark(peer).kind === "user" ? peer : people.author(account, peer, fields);
  vote(poll, voter, answers);
  pollChanged(people, account, { peer, message, poll });
  return { account: account.account, chatId: String(peer), messageId: String(message.id), options: texts };
}
