import type { BinaryNode } from "@whiskeysockets/baileys";
import { changedPicture } from "../../files/media/square-picture.js";
import type { CommandCall } from "../../session/command.js";
import type { EditGroupInput, GroupSettings } from "../../../shared/contract/group-change.js";
import type { Group } from "../../../shared/contract/whatsapp/group.js";
import type { Client } from "../client.js";
import type { WhatsAppConnector } from "../connector.js";
import { changeGroup } from "../group/change-group.js";
import { describeGroup } from "../group/describe-group.js";
import { GroupPictures } from "../group/group-pictures.js";
import { queryGroup } from "../group/group-query.js";
import { pictureQuery } from "../picture-query.js";
import { findGroup } from "./find-group.js";

/**
 * PATCH /group/{groupId}. Downloads the picture before the first change. Changes name, description, picture and settings in this order, and
 * ends with the first one that the platform refuses.
 */
export async function editGroup(connector: WhatsAppConnector, input: EditGroupInput, call: CommandCall): Promise<Group> {
  const { groupId, name, description, picture, settings = {} } = input;
  const jpeg = await changedPicture(connector.services, picture, { key: connector.id, signal: call.signal });
  return changeGroup(connector, groupId, call, async (client) => {
    if (name !== undefined) await queryGroup(client, groupId, "set", { tag: "subject", attrs: {}, content: Buffer.from(name) });
    if (description !== undefined) await client.runQuery(() => client.sock.groupUpdateDescription(groupId, description));
    if (jpeg !== undefined) await client.query(pictureQuery(jpeg, groupId));
    for (const setting of settingsOf(settings)) await queryGroup(client, groupId, "set", setting);
    return describe(client, groupId);
  });
}

async function describe(client: Client, groupId: string): Promise<Group> {
  return describeGroup(await findGroup(client, groupId), new GroupPictures(client));
}

/** Returns a request for each setting that is present. */
function settingsOf({ announce, locked, approval, memberAdd, ephemeral }: GroupSettings): BinaryNode[] {
  const join = { tag: "group_join", attrs: { state: approval === true ? "on" : "off" } };
  return [
    ...(announce === undefined ? [] : [{ tag: announce ? "announcement" : "not_announcement", attrs: {} }]),
    ...(locked === undefined ? [] : [{ tag: locked ? "locked" : "unlocked", attrs: {} }]),
    ...(approval === undefined ? [] : [{ tag: "membership_approval_mode", attrs: {}, content: [join] }]),
    ...(memberAdd === undefined ? [] : [{ tag: "member_add_mode", attrs: {}, content: memberAdd ? "all_member_add" : "admin_add" }]),
    ...(ephemeral === undefined ? [] : [timerNode(ephemeral)]),
  ];
}

function timerNode(seconds: number): BinaryNode {
  return seconds === 0 ? { tag: "not_ephemeral", attrs: {} } : { tag: "ephemeral", attrs: { expiration: String(seconds) } };
}
