import { getBinaryNodeChild } from "@whiskeysockets/baileys";
import type { CommandCall } from "../../session/command.js";
import type { JoinInput } from "../../../shared/contract/group-change.js";
import { internal, invalidInviteLink } from "../../../shared/contract/whatsapp/errors.js";
import type { JoinedGroup } from "../../../shared/contract/whatsapp/group-change.js";
import { inviteCodeOf } from "../../../shared/contract/whatsapp/invite-link.js";
import type { Client } from "../client.js";
import type { WhatsAppConnector } from "../connector.js";
import { toIsoTime } from "../convert.js";
import { iqErrorCode } from "../errors.js";
import { changeGroup } from "../group/change-group.js";
import { describeGroup, type GroupDetails } from "../group/describe-group.js";
import { GroupPictures } from "../group/group-pictures.js";
import { allGroups, detailsIn, queryGroup } from "../group/group-query.js";
import { findGroup } from "./find-group.js";

/** POST /group/join. Returns the group also if the account is in it already. */
export async function joinGroup(connector: WhatsAppConnector, { link }: JoinInput, call: CommandCall): Promise<JoinedGroup> {
  const code = inviteCodeOf(link);
  if (code === undefined) throw invalidInviteLink();
  return changeGroup(connector, allGroups, call, async (client) => {
    const linked = await linkedGroup(client, code);
    // Known data of the group may be from before the account left it.
    connector.account.groups.delete(linked.id);
    if ((await enter(client, code)) === "pending") return pendingGroup(linked);
    const group = await describeGroup(await findGroup(client, linked.id), new GroupPictures(client));
    return { ...group, pending: false };
  });
}

/** Returns the group that the link leads to, as people outside see it. */
async function linkedGroup(client: Client, code: string): Promise<GroupDetails> {
  const response = await queryGroup(client, allGroups, "get", { tag: "invite", attrs: { code } });
  const details = detailsIn(getBinaryNodeChild(response, "group"));
  if (details === undefined) throw internal(new Error("a linked group without an id"));
  return details;
}

async function enter(client: Client, code: string): Promise<"in" | "pending"> {
  try {
    const response = await queryGroup(client, allGroups, "set", { tag: "invite", attrs: { code } });
    return getBinaryNodeChild(response, "membership_approval_request") === undefined ? "in" : "pending";
  } catch (error) {
    if (iqErrorCode(error) === alreadyIn) return "in";
    throw error;
  }
}

const alreadyIn = 409;

function pendingGroup({ id, subject, desc, creation }: GroupDetails): JoinedGroup {
  return { id, name: subject, description: desc ?? "", picture: "", created: toIsoTime(creation), pending: true };
}
