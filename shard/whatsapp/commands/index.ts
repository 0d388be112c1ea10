import typia from "typia";
import type { Command, CommandCall, CommandName, Commands, Input, Output } from "../../../shared/contract/commands.js";
import { toApiError } from "../errors.js";
import type { WhatsAppSession } from "../session.js";
import { createSession } from "./create-session.js";
import { deleteSession } from "./delete-session.js";
import { getChannel } from "./get-channel.js";
import { getGroup } from "./get-group.js";
import { listChannelMessages } from "./list-channel-messages.js";
import { listChannels } from "./list-channels.js";
import { listGroupMembers } from "./list-group-members.js";
import { listGroups } from "./list-groups.js";
import { postStatus } from "./post-status.js";
import { resetSession } from "./reset-session.js";
import { sendMessage } from "./send-message.js";
import { sendTyping } from "./send-typing.js";
import { undeleteSession } from "./undelete-session.js";

type In<C extends CommandName<"whatsapp">> = Input<"whatsapp", C>;
type Run<C extends CommandName<"whatsapp">> = (session: WhatsAppSession, input: In<C>, call: CommandCall) => Promise<Output<"whatsapp", C>>;

/** Every command of variant A as its shard runs it. Errors of the platform leave here as the document words them. */
export const whatsappCommands = {
  "create-session": row(typia.createIs<In<"create-session">>(), createSession),
  "undelete-session": row(typia.createIs<In<"undelete-session">>(), undeleteSession),
  "reset-session": row(typia.createIs<In<"reset-session">>(), resetSession),
  "delete-session": row(typia.createIs<In<"delete-session">>(), deleteSession),
  "send-message": row(typia.createIs<In<"send-message">>(), sendMessage),
  "post-status": row(typia.createIs<In<"post-status">>(), postStatus),
  "send-typing": row(typia.createIs<In<"send-typing">>(), sendTyping),
  "list-groups": row(typia.createIs<In<"list-groups">>(), listGroups),
  "get-group": row(typia.createIs<In<"get-group">>(), getGroup),
  "list-group-members": row(typia.createIs<In<"list-group-members">>(), listGroupMembers),
  "list-channels": row(typia.createIs<In<"list-channels">>(), listChannels),
  "get-channel": row(typia.createIs<In<"get-channel">>(), getChannel),
  "list-channel-messages": row(typia.createIs<In<"list-channel-messages">>(), listChannelMessages),
} satisfies Commands<"whatsapp", WhatsAppSession>;

function row<C extends CommandName<"whatsapp">>(
  accepts: (input: unknown) => input is In<C>,
  run: Run<C>,
): Command<"whatsapp", C, WhatsAppSession> {
  return {
    accepts,
    run: async (session, input, call) => {
      try {
        return await run(session, input, call);
      } catch (error) {
        throw toApiError(error);
      }
    },
  };
}
