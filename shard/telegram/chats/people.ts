import type { Api } from "telegram";
import { RPCError } from "telegram/errors/index.js";
import { ApiError } from "../../../shared/contract/api-error.js";
import type { MemberResult } from "../../../shared/contract/telegram/group-change.js";
import type { PersonRecipient } from "../../../shared/contract/telegram/message.js";
import type { Client } from "../client.js";
import type { Lookup } from "../client-options.js";
import type { TelegramConnector } from "../connector.js";
import { errorName, isSignedOut, toApiError } from "../errors.js";
import { findReceiver } from "../message/find-receiver.js";
import type { Peer } from "../peers.js";

/** The platform's response about one person. */
export type Verdict = Pick<MemberResult, "code" | "reason">;

interface Person {
  /** The field by which the caller named the person. */
  readonly field: Pick<MemberResult, "phone" | "user" | "username">;
}

export interface FoundPerson extends Person {
  readonly peer: Peer;
}

/** A person of a call: found, or refused before any request about the group. */
export type NamedPerson = FoundPerson | (Person & { readonly verdict: Verdict });

export const done: Verdict = { code: 200, reason: "" };

/** Finds the people of a call, one after the other: the platform limits lookups of phone numbers. */
export async function namedPeople(
  connector: TelegramConnector,
  client: Client,
  people: readonly PersonRecipient[],
  lookup: Lookup,
): Promise<NamedPerson[]> {
  const named: NamedPerson[] = [];
  for (const person of people) named.push({ field: fieldOf(person), ...(await findPerson(connector, client, person, lookup)) });
  return named;
}

export function isFound(person: NamedPerson): person is FoundPerson {
  return "peer" in person;
}

/**
 * Returns the platform's response about each person, in the order of the call. Throws the first refusal of the call itself; a later one
 * counts as one of its person. After a flood wait, or a limit of the account, no more requests are sent.
 */
export async function eachPerson(
  connector: TelegramConnector,
  people: readonly NamedPerson[],
  change: (person: FoundPerson) => Promise<Verdict>,
): Promise<MemberResult[]> {
  const results: MemberResult[] = [];
  let limit: Verdict | undefined;
  for (const person of people) {
    let verdict = isFound(person) ? (limit ?? done) : person.verdict;
    try {
      if (isFound(person) && limit === undefined) verdict = await change(person);
    } catch (error) {
      if (!(error instanceof RPCError) || isSignedOut(error) || !(results.length > 0 || isPersonal(error))) throw error;
      // The call succeeds, so its handler does not see this error.
      connector.noticed(error);
      verdict = verdictOf(error);
      if (error.code === floodCode || errorName(error) === "PEER_FLOOD") limit = verdict;
    }
    results.push({ ...person.field, ...verdict });
  }
  return results;
}

const floodCode = 420;

/** True for a refusal of one person, after which the platform may accept others. */
export function isPersonal(error: unknown): boolean {
  return error instanceof RPCError && personalNames.test(error.errorMessage);
}

const personalNames = /^(USER_|INPUT_USER_|PARTICIPANT_|YOU_BLOCKED_USER|BOT_|BOTS_|PEER_ID_INVALID|CHAT_MEMBER_ADD_FAILED)/;

/** Returns a refusal as the response about a person: the platform's code and its error. */
function verdictOf(error: RPCError): Verdict {
  const shown = toApiError(error);
  return { code: Math.abs(error.code ?? 500), reason: shown instanceof Error ? shown.message : error.errorMessage };
}

/** Returns the verdicts on people whose privacy settings do not let the account add them, by user id. */
export function missingIn({ missingInvitees }: Api.messages.InvitedUsers): ReadonlyMap<string, Verdict> {
  return new Map(missingInvitees.map(({ userId }) => [userId.toString(), refusedByPrivacy]));
}

/** The name is that of the error that the platform gave before it listed these people. */
const refusedByPrivacy: Verdict = {
  code: 403,
  reason: "403: USER_PRIVACY_RESTRICTED (the person's privacy settings do not allow it: send them the invite link)",
};

async function findPerson(
  connector: TelegramConnector,
  client: Client,
  person: PersonRecipient,
  lookup: Lookup,
): Promise<{ readonly peer: Peer } | { readonly verdict: Verdict }> {
  try {
    const peer = await findReceiver(connector, client, person, lookup);
    return peer.id.startsWith("-") ? { verdict: notFound("the username is not that of a person") } : { peer };
  } catch (error) {
    if (error instanceof ApiError && error.status === 400) return { verdict: notFound(error.message) };
    throw error;
  }
}

const notFound = (sentence: string): Verdict => ({ code: 400, reason: `400: ${sentence}` });

function fieldOf(person: PersonRecipient): NamedPerson["field"] {
  if (person.kind === "phone") return { phone: person.digits };
  const { chat } = person;
  return { [person.kind]: chat.kind === "id" ? chat.id : chat.username };
}
