import { Api } from "telegram";
import type { Ending } from "../../../shared/flow/ending.js";
import { channelMark } from "../chats/chat-reference.js";
import { pause } from "../../../shared/flow/pause.js";
import { recentCache } from "../../flow/recent-cache.js";
import { isJoinReply } from "./join-reply.js";
import type { Intake } from "./update-inbox.js";

/**
 * Reads updates from the replies to the session's own calls, because the platform does not push a device's own actions to it. Also records
 * which messages they sent, since a difference lists those too.
 */
export class OwnCalls {
  /** Messages that this session sent recently. A difference with older ones would start before the stored position, so it cannot occur. */
  private readonly sent = recentCache<"sent">(2_000);
  private readonly running = new Set<Promise<unknown>>();

  constructor(private readonly push: (intake: Intake) => void) {}

  /** Follows a call that is about to be sent. Synchronous; never changes the caller's result. */
  follow(request: Api.AnyRequest, reply: Promise<unknown>): void {
    if (!sends(request)) {
      reply.then((result) => this.take(request, result), ignore);
      return;
    }
    const done = reply.then((result) => this.take(request, result), ignore).finally(() => this.running.delete(done));
    this.running.add(done);
  }

  has(message: number): boolean {
    return this.sent.has(String(message));
  }

  /** Does the same for a channel or supergroup, by its marked id. */
  hasInChannel(channel: string, message: number): boolean {
    return this.sent.has(`${channel} ${message}`);
  }

  /** Resolves when every send in flight has its reply, after 5 s at the latest. */
  async waitForReplies(signal: Ending): Promise<void> {
    if (this.running.size === 0) return;
    const done = new AbortController();
    void Promise.all(this.running).then(() => done.abort(allReplied));
    await pause(repliesMs, done.signal, signal);
  }

  clear(): void {
    this.sent.clear();
  }

  private take(request: Api.AnyRequest, result: unknown): void {
    if (result instanceof Api.messages.InvitedUsers) this.take(request, result.updates);
    else if (result instanceof Api.UpdateShortSentMessage) {
      this.sent.set(String(result.id), "sent");
      const chat = personOf(request);
      this.push({
        kind: "counted",
        pts: result.pts,
        count: result.ptsCount,
        ...(chat !== undefined && { sent: { message: result.id, chat } }),
      });
    } else if (isUpdates(result)) {
      // Message ids of each channel are a separate sequence.
      const channel = channelOf(request);
      if ("updates" in result)
        for (const update of result.updates)
          if (update instanceof Api.UpdateMessageID)
            this.sent.set(channel === undefined ? String(update.id) : `${channel} ${update.id}`, "sent");
      this.push({ kind: "packet", packet: result, own: true });
    } else if (result instanceof Api.messages.AffectedMessages || result instanceof Api.messages.AffectedHistory) {
      const { pts, ptsCount: count } = result;
      if (request.className.startsWith("messages.")) this.push({ kind: "counted", pts, count });
      // Channel methods return the same type, but with the count of the channel.
      else if ("channel" in request && request.channel instanceof Api.InputChannel)
        this.push({ kind: "counted", pts, count, channel: channelMark(request.channel.channelId) });
    } else if (isJoinReply(result)) this.take(request, result.updates);
  }
}

const repliesMs = 5_000;

function ignore(): void {
  // The caller handles the error.
}

function sends(request: Api.AnyRequest): boolean {
  return receiverOf(request) !== undefined && ("randomId" in request || "multiMedia" in request);
}

function receiverOf(request: Api.AnyRequest): unknown {
  if (request instanceof Api.messages.ForwardMessages) return request.toPeer;
  return "peer" in request ? request.peer : undefined;
}

function personOf(request: Api.AnyRequest): string | undefined {
  const receiver = receiverOf(request);
  return receiver instanceof Api.InputPeerUser ? receiver.userId.toString() : undefined;
}

/** Returns the marked id of the channel that the request sends to. */
function channelOf(request: Api.AnyRequest): string | undefined {
  const receiver = receiverOf(request);
  return receiver instanceof Api.InputPeerChannel ? channelMark(receiver.channelId) : undefined;
}

function isUpdates(result: unknown): result is Api.TypeUpdates {
  return (
    result instanceof Api.Updates ||
    result instanceof Api.UpdatesCombined ||
    result instanceof Api.UpdateShort ||
    result instanceof Api.UpdateShortMessage ||
    result instanceof Api.UpdateShortChatMessage ||
    result instanceof Api.UpdatesTooLong
  );
}

/** A fixed reason: without one, each abort would create an exception with its stack. */
const allReplied = "all are answered";
