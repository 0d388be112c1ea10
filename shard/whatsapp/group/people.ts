import { getBinaryNodeChildren, jidDecode, type BinaryNode } from "@whiskeysockets/baileys";
import { invalidPerson } from "../../../shared/contract/whatsapp/errors.js";
import type { MemberResult } from "../../../shared/contract/whatsapp/group-change.js";
import type { PersonRecipient } from "../../../shared/contract/whatsapp/message.js";
import type { Client } from "../client.js";
import type { WhatsAppConnector } from "../connector.js";
import { phoneOf } from "../jid.js";
import { recipientJid } from "../message/recipient-jid.js";
import { otherNames } from "../other-names.js";
import { refusalText } from "../refusal.js";

/** A person of a call, with all names that the platform's response may have. */
export interface NamedPerson {
  readonly jid: string;
  /** The field by which the caller named the person. */
  readonly field: Pick<MemberResult, "phone" | "user">;
  /** User parts of the person's phone number and anonymous id, as far as they are known. */
  readonly names: ReadonlySet<string>;
}

/** Returns the people of a call. Queries the platform for the anonymous ids of unknown phone numbers. */
export async function namedPeople(
  connector: WhatsAppConnector,
  client: Client,
  people: readonly PersonRecipient[],
): Promise<NamedPerson[]> {
  const jids = people.map((person) => recipientJid(person) ?? raise(invalidPerson()));
  await connector.account.addresses.learn(
    client,
    jids.filter((jid) => phoneOf(jid) !== ""),
  );
  const named: NamedPerson[] = [];
  for (const [at, person] of people.entries()) {
    const jid = jids[at] ?? "";
    const field = person.kind === "phone" ? { phone: person.phone } : { user: person.id };
    named.push({ jid, field, names: await otherNames(client.sock.authState.keys, [jid]) });
  }
  return named;
}

/** Returns the node of a person who is to be added. The platform also wants the number of an anonymous person, if it is known. */
export async function newcomer(client: Client, { jid }: NamedPerson): Promise<BinaryNode> {
  const phone = phoneOf(jid) === "" ? phoneOf((await client.sock.signalRepository.lidMapping.getPNForLID(jid)) ?? undefined) : "";
  return { tag: "participant", attrs: { jid, ...(phone !== "" && { phone_number: `${phone}@s.whatsapp.net` }) } };
}

/** True if the node is about this person. */
export function isAbout({ names }: NamedPerson, { jid, phone_number, lid }: BinaryNode["attrs"]): boolean {
  return [jid, phone_number, lid].some((name) => names.has(jidDecode(name)?.user ?? ""));
}

/**
 * Returns the platform's response about each person, in the order of the call. A repeat gets `doneCode` for a change that was made before,
 * which counts as done.
 */
export function resultsIn(response: BinaryNode | undefined, people: readonly NamedPerson[], doneCode?: number): MemberResult[] {
  const answers = getBinaryNodeChildren(response, "participant");
  return people.map((person) => {
    const answer = answers.find(({ attrs }) => isAbout(person, attrs));
    // The platform skips numbers that it does not know.
    const code = answer === undefined ? unknownPerson : Number(answer.attrs["error"] ?? done);
    const isDone = code === done || code === doneCode;
    return { ...person.field, code: isDone ? done : code, reason: isDone ? "" : reasonOf(code) };
  });
}

const done = 200;
const unknownPerson = 404;

function reasonOf(code: number): string {
  const meaning = meanings.get(code);
  return meaning === undefined ? refusalText(code) : `${code}: ${meaning}`;
}

/** The codes that the platform's own clients explain for a person, other than for a chat. */
const meanings: ReadonlyMap<number, string> = new Map([
  [401, "the person has blocked the account"],
  [403, "the platform does not allow this for the person: send them the invite link instead of adding them"],
  [404, "the platform does not know the person, or the person is not in the group"],
  [408, "the person has left the group recently"],
  [409, "the person is in the group already"],
  [419, "the group is full"],
  [500, "the group is full"],
]);

function raise(error: unknown): never {
  throw error;
}
