import { getBinaryNodeChild, type BinaryNode } from "@whiskeysockets/baileys";
import type { CommandCall } from "../../session/command.js";
import type { MemberResult, MembersInput } from "../../../shared/contract/whatsapp/group-change.js";
import type { Client } from "../client.js";
import type { WhatsAppConnector } from "../connector.js";
import { changeGroup } from "../group/change-group.js";
import { queryGroup } from "../group/group-query.js";
import { isAbout, namedPeople, newcomer, resultsIn, type NamedPerson } from "../group/people.js";
import { findGroup } from "./find-group.js";

type MembersCommand = (connector: WhatsAppConnector, input: MembersInput, call: CommandCall) => Promise<{ docs: MemberResult[] }>;

/** POST /group/member. */
export const addGroupMembers = changing("add", 409);
/** DELETE /group/member. */
export const removeGroupMembers = changing("remove", 404);
/** POST /group/admin. */
export const addGroupAdmins = changing("promote");
/** DELETE /group/admin. */
export const removeGroupAdmins = changing("demote");

/** Returns a command that makes one change of several people, with the platform's response about each. */
function changing(tag: "add" | "remove" | "promote" | "demote", doneCode?: number): MembersCommand {
  return (connector, { group, members }, call) =>
    changeGroup(connector, group, call, async (client, isRepeat) => {
      const people = await namedPeople(connector, client, members);
      const content = tag === "add" ? await newcomers(client, people) : await asListed(client, group, people);
      const response = await queryGroup(client, group, "set", { tag, attrs: {}, content });
      return { docs: resultsIn(getBinaryNodeChild(response, tag), people, isRepeat ? doneCode : undefined) };
    });
}

async function newcomers(client: Client, people: readonly NamedPerson[]): Promise<BinaryNode[]> {
  const nodes: BinaryNode[] = [];
  for (const person of people) nodes.push(await newcomer(client, person));
  return nodes;
}

/** Names members as the group lists them: by number, or by anonymous id. */
async function asListed(client: Client, group: string, people: readonly NamedPerson[]): Promise<BinaryNode[]> {
  const { participants } = await findGroup(client, group);
  return people.map((person) => {
    const listed = participants.find(({ id, phoneNumber = "", lid = "" }) => isAbout(person, { jid: id, phone_number: phoneNumber, lid }));
    return { tag: "participant", attrs: { jid: listed?.id ?? person.jid } };
  });
}
