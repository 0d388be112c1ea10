import { getBinaryNodeChild } from "@whiskeysockets/baileys";
import type { CommandCall } from "../../session/command.js";
import type { InviteLink } from "../../../shared/contract/group-change.js";
import { groupNotFound, internal } from "../../../shared/contract/whatsapp/errors.js";
import type { GroupReference } from "../../../shared/contract/whatsapp/group-change.js";
import { inviteLinkOf } from "../../../shared/contract/whatsapp/invite-link.js";
import type { Client } from "../client.js";
import type { WhatsAppConnector } from "../connector.js";
import { iqErrorCode } from "../errors.js";
import { changeGroup, unknownGroup } from "../group/change-group.js";
import { queryGroup } from "../group/group-query.js";

/** GET /group/invite. */
export async function getGroupInvite(connector: WhatsAppConnector, { group }: GroupReference): Promise<InviteLink> {
  try {
    return await linkOf(connector.connected(), group, "get");
  } catch (error) {
    throw iqErrorCode(error) === unknownGroup ? groupNotFound(error) : error;
  }
}

/** DELETE /group/invite: returns the new link. The old one no longer works. */
export function revokeGroupInvite(connector: WhatsAppConnector, { group }: GroupReference, call: CommandCall): Promise<InviteLink> {
  return changeGroup(connector, group, call, (client) => linkOf(client, group, "set"));
}

async function linkOf(client: Client, group: string, type: "get" | "set"): Promise<InviteLink> {
  const response = await queryGroup(client, group, type, { tag: "invite", attrs: {} });
  const code = getBinaryNodeChild(response, "invite")?.attrs["code"];
  if (code === undefined) throw internal(new Error("an invite without a code"));
  return { link: inviteLinkOf(code) };
}
