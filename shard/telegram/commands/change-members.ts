import { Api } from "telegram";
import { RPCError } from "telegram/errors/index.js";
import type { CommandCall } from "../../session/command.js";
import type { MemberResult, MembersInput } from "../../../shared/contract/telegram/group-change.js";
import { changeGroup, inputChannelOf, type AnyGroup, type GroupTry } from "../chats/change-group.js";
import {
  done,
  eachPerson,
  isFound,
  isPersonal,
  missingIn,
  namedPeople,
  type FoundPerson,
  type NamedPerson,
  type Verdict,
} from "../chats/people.js";
import type { TelegramConnector } from "../connector.js";
import { errorName } from "../errors.js";
import { toInputPeer, toInputUser } from "../peers.js";

type MembersCommand = (connector: TelegramConnector, input: MembersInput, call: CommandCall) => Promise<{ docs: MemberResult[] }>;

/** POST /group/member. */
export const addGroupMembers = changing(async (group, attempt, people) => {
  const all = group instanceof Api.Channel ? await invitedAtOnce(group, attempt, people.filter(isFound)) : undefined;
  return eachPerson(attempt.connector, people, async (person) => all?.get(person.peer.id) ?? (await invited(group, attempt, person)));
});

/** DELETE /group/member. A removed person may come back by a link. */
export const removeGroupMembers = changing((group, attempt, people) =>
  eachPerson(attempt.connector, people, (person) =>
    group instanceof Api.Chat ? removedFromBasic(group, attempt, person) : removedFromSuper(group, attempt, person),
  ),
);

/** POST /group/admin. */
export const addGroupAdmins = changing((group, attempt, people) =>
  eachPerson(attempt.connector, people, (person) => appointed(group, attempt, person, true)),
);

/** DELETE /group/admin. */
export const removeGroupAdmins = changing((group, attempt, people) =>
  eachPerson(attempt.connector, people, (person) => appointed(group, attempt, person, false)),
);

function changing(change: (group: AnyGroup, attempt: GroupTry, people: readonly NamedPerson[]) => Promise<MemberResult[]>): MembersCommand {
  return (connector, { group, members }, call) =>
    changeGroup(connector, group, call, async (found, attempt) => {
      const people = await namedPeople(connector, attempt.client, members, attempt);
      return { docs: await change(found, attempt, people) };
    });
}

/** Adds all people in one request. Returns `undefined` if the platform refuses one of them, because it then adds none. */
async function invitedAtOnce(
  group: Api.Channel,
  { invoke }: GroupTry,
  people: readonly FoundPerson[],
): Promise<ReadonlyMap<string, Verdict> | undefined> {
  if (people.length < 2 || people.length > invitedMax) return undefined;
  const users = people.map(({ peer }) => toInputUser(peer));
  try {
    const missing = missingIn(await invoke(new Api.channels.InviteToChannel({ channel: inputChannelOf(group), users })));
    return new Map(people.map(({ peer }) => [peer.id, missing.get(peer.id) ?? done]));
  } catch (error) {
    if (isPersonal(error)) return undefined;
    throw error;
  }
}

/** The platform's limit for one request. */
const invitedMax = 200;

async function invited(group: AnyGroup, { invoke, isRepeat }: GroupTry, { peer }: FoundPerson): Promise<Verdict> {
  const userId = toInputUser(peer);
  const request =
    group instanceof Api.Chat
      ? new Api.messages.AddChatUser({ chatId: group.id, userId, fwdLimit: forwardedMax })
      : new Api.channels.InviteToChannel({ channel: inputChannelOf(group), users: [userId] });
  try {
    return missingIn(await invoke(request)).get(peer.id) ?? done;
  } catch (error) {
    if (isRepeat() && errorName(error) === "USER_ALREADY_PARTICIPANT") return done;
    throw error;
  }
}

/** Earlier messages that a new member of a basic group sees, as in the platform's own clients. */
const forwardedMax = 100;

async function removedFromBasic(group: Api.Chat, { invoke, isRepeat }: GroupTry, { peer }: FoundPerson): Promise<Verdict> {
  try {
    await invoke(new Api.messages.DeleteChatUser({ chatId: group.id, userId: toInputUser(peer) }));
  } catch (error) {
    if (!isRepeat() || errorName(error) !== "USER_NOT_PARTICIPANT") throw error;
  }
  return done;
}

/** The platform has no request that only removes a person: the person is banned, and the ban lifted. */
async function removedFromSuper(group: Api.Channel, { invoke, isRepeat }: GroupTry, { peer }: FoundPerson): Promise<Verdict> {
  const channel = inputChannelOf(group);
  const participant = toInputPeer(peer);
  const ban = (viewMessages: boolean): Promise<unknown> =>
    invoke(
      new Api.channels.EditBanned({
        channel,
        participant,
        bannedRights: new Api.ChatBannedRights({ untilDate: 0, ...(viewMessages && { viewMessages }) }),
      }),
    );
  try {
    await requireMember(invoke, channel, participant);
    await ban(true);
  } catch (error) {
    if (!isRepeat() || errorName(error) !== "USER_NOT_PARTICIPANT") throw error;
  }
  await ban(false);
  return done;
}

/** Throws `USER_NOT_PARTICIPANT` also for a banned person, although the platform returns one: the change must not lift the ban. */
async function requireMember(invoke: GroupTry["invoke"], channel: Api.InputChannel, participant: Api.TypeInputPeer): Promise<void> {
  const request = new Api.channels.GetParticipant({ channel, participant });
  const { participant: found } = await invoke(request);
  const isBanned = found instanceof Api.ChannelParticipantBanned && found.left === true;
  if (isBanned || found instanceof Api.ChannelParticipantLeft) throw new RPCError("USER_NOT_PARTICIPANT", request, 400);
}

async function appointed(group: AnyGroup, { invoke }: GroupTry, { peer }: FoundPerson, isAdmin: boolean): Promise<Verdict> {
  const userId = toInputUser(peer);
  if (group instanceof Api.Chat) {
    await invoke(new Api.messages.EditChatAdmin({ chatId: group.id, userId, isAdmin }));
    return done;
  }
  const channel = inputChannelOf(group);
  // The platform would add a person who is not in the group.
  await requireMember(invoke, channel, toInputPeer(peer));
  const adminRights = new Api.ChatAdminRights(isAdmin ? rightsFrom(group) : {});
  await invoke(new Api.channels.EditAdmin({ channel, userId, adminRights, rank: "" }));
  return done;
}

/** Returns the rights that the platform's own clients suggest, as far as the account has them. */
function rightsFrom({ creator, adminRights }: Api.Channel): Partial<Record<(typeof givenRights)[number], true>> {
  const own = givenRights.filter((right) => creator === true || adminRights?.[right] === true);
  return Object.fromEntries(own.map((right) => [right, true as const]));
}

const givenRights = ["changeInfo", "deleteMessages", "banUsers", "inviteUsers", "pinMessages", "manageCall"] as const;
