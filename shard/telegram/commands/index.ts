import typia from "typia";
import type { Command, CommandCall, CommandName, Commands, Input, Output } from "../../../shared/contract/commands.js";
import { toApiError } from "../errors.js";
import type { TelegramSession } from "../session.js";
import { createSession } from "./create-session.js";
import { deleteSession } from "./delete-session.js";
import { describeMedia } from "./describe-media.js";
import { getChannel } from "./get-channel.js";
import { getGroup } from "./get-group.js";
import { listChannelMessages } from "./list-channel-messages.js";
import { listChannels } from "./list-channels.js";
import { listGroupMembers } from "./list-group-members.js";
import { listGroups } from "./list-groups.js";
import { postStatus } from "./post-status.js";
import { readChunk } from "./read-chunk.js";
import { listDeadLetters } from "./list-dead-letters.js";
import { replayDeadLetters } from "./replay-dead-letters.js";
import { resetSession } from "./reset-session.js";
import { setWebhook } from "./set-webhook.js";
import { sendMessage } from "./send-message.js";
import { sendTyping } from "./send-typing.js";
import { undeleteSession } from "./undelete-session.js";
import { submitPassword } from "./submit-password.js";

type In<C extends CommandName<"telegram">> = Input<"telegram", C>;
type Run<C extends CommandName<"telegram">> = (session: TelegramSession, input: In<C>, call: CommandCall) => Promise<Output<"telegram", C>>;

/** Every command of variant B as its shard runs it. Errors of the platform leave here as the document words them. */
export const telegramCommands: Commands<"telegram", TelegramSession> = {
  "create-session": row(typia.createIs<In<"create-session">>(), createSession),
  "undelete-session": row(typia.createIs<In<"undelete-session">>(), undeleteSession),
  "submit-password": row(typia.createIs<In<"submit-password">>(), submitPassword),
  "set-webhook": row(typia.createIs<In<"set-webhook">>(), setWebhook),
  "reset-session": row(typia.createIs<In<"reset-session">>(), resetSession),
  "delete-session": row(typia.createIs<In<"delete-session">>(), deleteSession),
  "send-message": row(typia.createIs<In<"send-message">>(), sendMessage),
  "send-typing": row(typia.createIs<In<"send-typing">>(), sendTyping),
  "post-status": row(typia.createIs<In<"post-status">>(), postStatus),
  "list-groups": row(typia.createIs<In<"list-groups">>(), listGroups),
  "get-group": row(typia.createIs<In<"get-group">>(), getGroup),
  "list-group-members": row(typia.createIs<In<"list-group-members">>(), listGroupMembers),
  "list-channels": row(typia.createIs<In<"list-channels">>(), listChannels),
  "get-channel": row(typia.createIs<In<"get-channel">>(), getChannel),
  "list-channel-messages": row(typia.createIs<In<"list-channel-messages">>(), listChannelMessages),
  "list-dead-letters": row(typia.createIs<In<"list-dead-letters">>(), listDeadLetters),
  "replay-dead-letters": row(typia.createIs<In<"replay-dead-letters">>(), replayDeadLetters),
  "describe-media": row(typia.createIs<In<"describe-media">>(), describeMedia),
  "read-chunk": row(typia.createIs<In<"read-chunk">>(), readChunk),
};

function row<C extends CommandName<"telegram">>(
  accepts: (input: unknown) => input is In<C>,
  run: Run<C>,
): Command<"telegram", C, TelegramSession> {
  return {
    accepts,
    run: async (session, input, call) => {
      try {
        return await run(session, input, call);
      } catch (error) {
        session.noticed(error);
        throw toApiError(error);
      }
    },
  };
}
