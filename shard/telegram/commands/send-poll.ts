import { Api } from "telegram";
import bigInt from "big-integer";
import type { CommandCall } from "../../session/command.js";
import type { MessageOutput, PollContent } from "../../../shared/contract/message-content.js";
import type { PollInput } from "../../../shared/contract/telegram/message.js";
import type { TelegramConnector } from "../connector.js";
import { deliver } from "../message/deliver.js";
import { toInputPeer } from "../peers.js";

/** POST /message/poll. Votes are anonymous, which channels require. */
export async function sendPoll(connector: TelegramConnector, { to, ...content }: PollInput, call: CommandCall): Promise<MessageOutput> {
  const media = new Api.InputMediaPoll({ poll: pollOf(content) });
  return deliver(connector, to, call, (_transfer, receiver, randomId) =>
    Promise.resolve(new Api.messages.SendMedia({ peer: toInputPeer(receiver), randomId, media, message: "" })),
  );
}

/** The platform replaces the id. Since layer 224, that of GramJS's successor, it gives the options their ids, and a poll has a hash. */
function pollOf({ question, options, multiple }: PollContent): Api.Poll {
  const schema: object = Api;
  const NewAnswer = "InputPollAnswer" in schema ? (schema.InputPollAnswer as typeof Api.PollAnswer) : Api.PollAnswer;
  const answers = options.map((option, at) => new NewAnswer({ text: plain(option), option: Buffer.from([at]) }));
  const poll = { id: bigInt.zero, question: plain(question), answers, hash: bigInt.zero };
  return new Api.Poll({ ...poll, ...(multiple && { multipleChoice: true }) });
}

function plain(text: string): Api.TextWithEntities {
  return new Api.TextWithEntities({ text, entities: [] });
}
