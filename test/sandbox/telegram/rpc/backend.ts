import {
  noAnswer,
  RpcFault,
  type AuthKey,
  type RpcAnswer,
  type RpcBackend,
  type RpcConnection,
  type RpcContext,
  type RpcMethod,
} from "../rpc.js";
import { sideMethods } from "../side-methods.js";
import { faultError } from "../world/faults.js";
import type { World } from "../world/world.js";
import { accountMethods } from "./account.js";
import { administratorMethods } from "./administrators.js";
import { authMethods } from "./auth.js";
import { channelMethods } from "./channels.js";
import { chatDetailMethods } from "./chat-details.js";
import { chatTitleMethods } from "./chat-titles.js";
import { contactsMethods } from "./contacts.js";
import { dialogMethods } from "./dialogs.js";
import { draftMethods } from "./drafts.js";
import { folderMethods } from "./folders.js";
import { manyMessageMethods } from "./forwards.js";
import { groupMemberMethods } from "./group-members.js";
import { groupMethods } from "./groups.js";
import { helpMethods } from "./help.js";
import { historyMethods } from "./history.js";
import { inviteLinkMethods } from "./invite-links.js";
import { joinByLinkMethods } from "./join-by-link.js";
import { membershipMethods } from "./membership.js";
import { messageViewMethods } from "./message-views.js";
import { messageMethods } from "./messages.js";
import { migrationMethods } from "./migration.js";
import type { Platform } from "./method.js";
import { newChatMethods } from "./new-chats.js";
import { peerDialogMethods } from "./peer-dialogs.js";
import { pinnedDialogMethods } from "./pinned-dialogs.js";
import { pollMethods } from "./polls.js";
import { profileMethods } from "./profile.js";
import { reactionMethods } from "./reactions.js";
import { searchMethods } from "./search.js";
import { storyMethods } from "./stories.js";
import { storyReactionMethods } from "./story-reactions.js";
import { storyReadMethods } from "./story-reads.js";
import { storyViewMethods } from "./story-views.js";
import { updatesMethods } from "./updates.js";
import { uploadMethods } from "./upload.js";
import { usersMethods } from "./users.js";

const tables = [
  accountMethods,
  administratorMethods,
  authMethods,
  channelMethods,
  chatDetailMethods,
  chatTitleMethods,
  contactsMethods,
  dialogMethods,
  draftMethods,
  folderMethods,
  groupMemberMethods,
  groupMethods,
  helpMethods,
  historyMethods,
  inviteLinkMethods,
  joinByLinkMethods,
  manyMessageMethods,
  membershipMethods,
  messageMethods,
  migrationMethods,
  messageViewMethods,
  newChatMethods,
  peerDialogMethods,
  pinnedDialogMethods,
  pollMethods,
  profileMethods,
  reactionMethods,
  searchMethods,
  storyMethods,
  storyReactionMethods,
  storyReadMethods,
  storyViewMethods,
  updatesMethods,
  uploadMethods,
  usersMethods,
];
const maxDelayMs = 600_000;

/** The platform behind the wire protocol: all methods, and the control API's faults. */
export class Backend implements RpcBackend {
  readonly methods: ReadonlyMap<string, RpcMethod>;
  private readonly world: World;
  private readonly stopping = new AbortController();

  constructor(platform: Platform) {
    this.world = platform.world;
    const rows = tables.flatMap((table) => Object.entries(table(platform)));
    this.methods = new Map(rows.map(([name, method]) => [name, this.withLostAck(name, method)]));
  }

  async intercept(className: string, _request: unknown, context: RpcContext): Promise<typeof noAnswer | undefined> {
    const { key, connection } = context;
    this.world.calls.add(className);
    if (!sideMethods.has(className)) this.world.overlaps.called(key, connection);
    const { faults } = this.world;
    const account = accountOf(key);
    if (faults.take(["refuse", "drop"], account, className) !== undefined) {
      connection.destroy();
      return noAnswer;
    }
    if (faults.take(["stall"], account, className) !== undefined) return noAnswer;
    const delay = faults.take(["delay"], account, className);
    if (delay !== undefined) await this.pause((delay.seconds ?? 1) * 1000);
    const error = faults.take(["flood-wait", "error"], account, className);
    if (error !== undefined) throw faultError(error);
    return undefined;
  }

  onKeyChanged(key: AuthKey): void {
    this.world.devices.update(key);
    this.world.changed("keys");
  }

  onConnectionChanged(connection: RpcConnection, open: boolean): void {
    if (open) this.world.devices.connections.add(connection);
    else this.world.devices.connections.delete(connection);
  }

  onOverlap(key: AuthKey): void {
    this.world.overlaps.report(key, [...key.connections]);
  }

  /** A stalled server sends no pong. A fault of the method "ping" delays or drops only pongs. */
  async interceptPing(connection: RpcConnection): Promise<typeof noAnswer | undefined> {
    const { faults, overlaps } = this.world;
    const { key } = connection;
    if (key !== undefined) overlaps.spoke(key, connection);
    const account = key && accountOf(key);
    if (faults.holding("stall", account) !== undefined || faults.takeNamed("stall", account, "ping") !== undefined) return noAnswer;
    const delay = faults.takeNamed("delay", account, "ping");
    if (delay !== undefined) await this.pause((delay.seconds ?? 1) * 1000);
    return undefined;
  }

  acceptsConnection(): boolean {
    // The account is not known yet, so only a fault for all accounts applies.
    return this.world.faults.take(["refuse"], undefined, undefined) === undefined;
  }

  /** Ends pending delays. */
  stop(): void {
    this.stopping.abort();
  }

  /** Fault `lost-ack`: the method takes effect, and the connection closes before the response. */
  private withLostAck(className: string, method: RpcMethod): RpcMethod {
    const handle = async (request: never, context: RpcContext): Promise<RpcAnswer> => {
      const account = accountOf(context.key);
      const answer = await method.handle(request, context);
      if (this.world.faults.take(["lost-ack"], account, className) === undefined) return answer;
      context.connection.destroy();
      return noAnswer;
    };
    return { ...(method.open === true && { open: true }), handle };
  }

  private async pause(ms: number): Promise<void> {
    try {
      await this.world.faults.pause(Math.min(ms, maxDelayMs), this.stopping.signal);
    } catch (error) {
      throw this.stopping.signal.aborted ? new RpcFault(500, "INTERNAL") : error;
    }
  }
}

function accountOf({ account, pendingAccount, scannedAccount }: AuthKey): string | undefined {
  return account ?? pendingAccount ?? scannedAccount;
}
