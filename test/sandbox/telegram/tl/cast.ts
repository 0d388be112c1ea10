import type { Api } from "telegram";
import type { Account } from "../world/account.js";
import { unmark, type MarkedId } from "../world/ids.js";
import type { StoredMessage } from "../world/message-box.js";
import { chatNamedBy, namedBy } from "../world/service-action.js";
import type { World } from "../world/world.js";
import { tlChat } from "./chat.js";
import { tlUser } from "./user.js";

/** Collects the users and chats of a response, each once. A client drops what it cannot resolve. */
export class Cast {
  private readonly userIds = new Set<number>();
  private readonly chatIds = new Set<MarkedId>();

  constructor(
    private readonly world: World,
    private readonly viewer: Account,
  ) {}

  user(id: number): this {
    if (id !== 0) this.userIds.add(id);
    return this;
  }

  peer(marked: MarkedId): this {
    if (marked > 0) return this.user(marked);
    this.chatIds.add(marked);
    return this;
  }

  message({ peer, from, forward, reactors = [], action }: StoredMessage): this {
    for (const reactor of reactors) this.user(reactor.from);
    for (const userId of action === undefined ? [] : namedBy(action)) this.user(userId);
    const other = action && chatNamedBy(action);
    if (other !== undefined) this.peer(other);
    if (forward !== undefined) this.peer(forward.from);
    return this.peer(peer).user(from);
  }

  get users(): Api.TypeUser[] {
    return [...this.userIds].flatMap((id) => {
      const person = this.world.accounts.person(id);
      return person === undefined ? [] : [tlUser(this.world, this.viewer, person)];
    });
  }

  get chats(): Api.TypeChat[] {
    return [...this.chatIds].flatMap((marked) => {
      const { kind, id } = unmark(marked);
      const chat = kind === "channel" ? this.world.chats.channel(id) : this.world.chats.group(id);
      return chat === undefined ? [] : [tlChat(this.world, this.viewer, chat)];
    });
  }
}
