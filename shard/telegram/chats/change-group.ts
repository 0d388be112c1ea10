import { Api } from "telegram";
import bigInt from "big-integer";
import { sendTimeout } from "../../../shared/contract/telegram/errors.js";
import type { CommandCall } from "../../session/command.js";
import { findGroup } from "../commands/find-chat.js";
import type { TelegramConnector } from "../connector.js";
import { markOf } from "../convert.js";
import { errorName } from "../errors.js";
import { repeatChange, type Try } from "../message/repeat-change.js";
import { CallTimeout } from "../network/connection-error.js";

/** One try of a change, on one connection. */
export interface GroupTry extends Omit<Try, "isRepeat"> {
  readonly connector: TelegramConnector;
  /** Returns true if an earlier try, or an earlier copy of a request, may have made the change. */
  readonly isRepeat: () => boolean;
  /** Sends one request of the change, again if its reply is late. */
  readonly invoke: <R extends Api.AnyRequest>(request: R) => Promise<R["__response"]>;
}

export type AnyGroup = Api.Chat | Api.Channel;
type RepeatableCall = Pick<CommandCall, "signal" | "isRepeat">;

/** Makes a change that leaves the platform as it is when it is made twice. Repeats it after a lost connection. */
export function repeatable<T>(connector: TelegramConnector, call: RepeatableCall, change: (attempt: GroupTry) => Promise<T>): Promise<T> {
  return repeatChange(connector, call, ({ client, signal, leftMs, isRepeat }) => {
    let isSentAgain = isRepeat;
    const again = { afterMs: connector.services.timing.replyMs, onRepeat: () => void (isSentAgain = true) };
    const invoke: GroupTry["invoke"] = async (request) => {
      try {
        return await client.invoke(request, { signal, deadlineMs: leftMs(), again });
      } catch (error) {
        throw error instanceof CallTimeout ? sendTimeout() : error;
      }
    };
    return change({ connector, client, signal, leftMs, invoke, isRepeat: () => isSentAgain });
  });
}

/** Makes a repeatable change of a group that the account is in. Throws as `findGroup` does. */
export function changeGroup<T>(
  connector: TelegramConnector,
  reference: string,
  call: RepeatableCall,
  change: (group: AnyGroup, attempt: GroupTry) => Promise<T>,
): Promise<T> {
  return repeatable(connector, call, async (attempt) => {
    const group = await findGroup(connector, attempt.client, reference, attempt.signal);
    try {
      return await change(group, attempt);
    } finally {
      connector.chats.changed(markOf(group));
    }
  });
}

/** Waits for a change that may have been made already. */
export async function unlessUnchanged(change: Promise<unknown>): Promise<void> {
  try {
    await change;
  } catch (error) {
    if (errorName(error)?.endsWith("_NOT_MODIFIED") !== true) throw error;
  }
}

/** Waits for a request to leave a chat. An earlier copy of it, whose reply was lost, may have left the chat. */
export async function unlessLeft(leave: Promise<unknown>): Promise<void> {
  try {
    await leave;
  } catch (error) {
    if (!leftNames.has(errorName(error) ?? "")) throw error;
  }
}

const leftNames: ReadonlySet<string> = new Set(["USER_NOT_PARTICIPANT", "CHANNEL_PRIVATE"]);

export function inputChannelOf({ id, accessHash }: Api.Channel): Api.InputChannel {
  return new Api.InputChannel({ channelId: id, accessHash: accessHash ?? bigInt.zero });
}

export function inputPeerOf(group: AnyGroup): Api.InputPeerChat | Api.InputPeerChannel {
  return group instanceof Api.Chat
    ? new Api.InputPeerChat({ chatId: group.id })
    : new Api.InputPeerChannel({ channelId: group.id, accessHash: group.accessHash ?? bigInt.zero });
}
