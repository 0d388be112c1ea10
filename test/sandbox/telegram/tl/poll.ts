import { Api } from "telegram";
import type { Account } from "../world/account.js";
import { long } from "../world/ids.js";
import type { StoredPoll } from "../world/poll.js";
import { present } from "./present.js";

export function tlPoll({ id, question, answers, multiple, publicVoters, correct, closed }: StoredPoll): Api.Poll {
  const plain = (text: string): Api.TextWithEntities => new Api.TextWithEntities({ text, entities: [] });
  return new Api.Poll(
    present({
      id: long(id),
      closed: closed || undefined,
      publicVoters: publicVoters || undefined,
      multipleChoice: multiple || undefined,
      quiz: correct !== undefined || undefined,
      question: plain(question),
      answers: answers.map(({ text, option }) => new Api.PollAnswer({ text: plain(text), option: Buffer.from(option, "base64") })),
    }),
  );
}

/** A viewer who has not voted in an open poll sees only the number of voters. */
export function tlPollResults({ answers, votes, correct, closed, publicVoters }: StoredPoll, viewer: Account): Api.PollResults {
  const own = votes.find(([userId]) => userId === viewer.userId)?.[1] ?? [];
  const voters = answers.map(
    ({ option }, at) =>
      new Api.PollAnswerVoters(
        present({
          chosen: own.includes(at) || undefined,
          correct: correct === at || undefined,
          option: Buffer.from(option, "base64"),
          voters: votes.filter(([, chosen]) => chosen.includes(at)).length,
        }),
      ),
  );
  const recent = publicVoters ? votes.slice(-3).map(([userId]) => new Api.PeerUser({ userId: long(userId) })) : [];
  return new Api.PollResults(
    present({
      totalVoters: votes.length,
      results: closed || own.length > 0 ? voters : undefined,
      recentVoters: recent.length > 0 ? recent : undefined,
    }),
  );
}
