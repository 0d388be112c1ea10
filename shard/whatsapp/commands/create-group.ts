import { getBinaryNodeChild, type BinaryNode } from "@whiskeysockets/baileys";
import type { CommandCall } from "../../session/command.js";
import { internal } from "../../../shared/contract/whatsapp/errors.js";
import type { NewGroup, NewGroupInput } from "../../../shared/contract/whatsapp/group-change.js";
import { toIsoTime } from "../convert.js";
import type { WhatsAppConnector } from "../connector.js";
import { allGroups, detailsIn, queryGroup } from "../group/group-query.js";
import { namedPeople, newcomer, resultsIn } from "../group/people.js";
import { messageIdOf } from "../message/message-id.js";
import { ConnectionLost, QueryTimeout } from "../network/connection-error.js";

/**
 * POST /group: creates a group with these people. Never repeats a request without a response, because the group may exist.
 * Refused people are listed, and the group exists without them.
 */
export async function createGroup(connector: WhatsAppConnector, { name, members }: NewGroupInput, call: CommandCall): Promise<NewGroup> {
  const people = await namedPeople(connector, connector.connected(), members);
  const newcomers: BinaryNode[] = [];
  for (const person of people) newcomers.push(await newcomer(connector.connected(), person));
  const attrs = { subject: name, key: messageIdOf(connector.id, call.id) };
  const group = getBinaryNodeChild(await sentOnce(connector, { tag: "create", attrs, content: newcomers }), "group");
  const details = detailsIn(group);
  if (details === undefined) throw internal(new Error("a new group without an id"));
  return {
    id: details.id,
    name: details.subject,
    description: "",
    picture: "",
    created: toIsoTime(details.creation),
    refused: resultsIn(group, people).filter(({ reason }) => reason !== ""),
  };
}

async function sentOnce(connector: WhatsAppConnector, creation: BinaryNode): Promise<BinaryNode> {
  const client = connector.connected();
  try {
    return await queryGroup(client, allGroups, "set", creation);
  } catch (error) {
    // "Not connected" would invite the caller to create the group again.
    throw error instanceof ConnectionLost || error instanceof QueryTimeout ? internal(error) : error;
  }
}
