import type { CommandCall } from "../../session/command.js";
import type { LeftGroup } from "../../../shared/contract/group-change.js";
import type { GroupReference } from "../../../shared/contract/whatsapp/group-change.js";
import type { WhatsAppConnector } from "../connector.js";
import { iqErrorCode } from "../errors.js";
import { changeGroup } from "../group/change-group.js";
import { allGroups, queryGroup } from "../group/group-query.js";

/** POST /group/leave. */
export async function leaveGroup(connector: WhatsAppConnector, { group: id }: GroupReference, call: CommandCall): Promise<LeftGroup> {
  await changeGroup(connector, id, call, async (client, isRepeat) => {
    try {
      await queryGroup(client, allGroups, "set", { tag: "leave", attrs: {}, content: [{ tag: "group", attrs: { id } }] });
    } catch (error) {
      // The first try may have left the group.
      if (!isRepeat || !goneCodes.has(iqErrorCode(error) ?? 0)) throw error;
    }
  });
  return { id };
}

const goneCodes: ReadonlySet<number> = new Set([403, 404]);
