import type { SessionId } from "../../shared/contract/ids.js";
import type { Platform } from "../../shared/contract/platform.js";
import type { LinkKeys } from "../../shared/media/link.js";
import { SealedTokens } from "../../shared/media/sealed-tokens.js";
import { packHead, unpackHead, type MessageHead } from "./message-head.js";
import type { ConnectorContext } from "./session-context.js";

export interface RefPort {
  /** Returns the refs of the account that a session is logged in to. */
  of(context: Pick<ConnectorContext, "id" | "state">): AccountRefs;
}

/** Sealed heads of one account's messages. */
export interface AccountRefs {
  /** Returns the ref; `undefined` if the head does not fit into it, and while no account is logged in. */
  seal(head: MessageHead): string | undefined;
  /** Returns the head; `undefined` for an altered ref, and for one of another account, tenant or platform. */
  open(ref: string): MessageHead | undefined;
}

/**
 * Refs of one platform's messages: what a quote or a forward needs of a message, so that no messages are stored. Refs do not expire;
 * removing a key of `MEDIA_KEYS` revokes its refs.
 */
export class MessageRefs implements RefPort {
  private readonly tokens: SealedTokens;

  constructor(
    links: LinkKeys,
    private readonly platform: Platform,
    private readonly tenantOf: (session: SessionId) => string,
  ) {
    this.tokens = new SealedTokens(links, "message-ref");
  }

  of(context: Pick<ConnectorContext, "id" | "state">): AccountRefs {
    const owner = (): string | undefined => {
      const state = context.state();
      return "account" in state ? `v1|${this.platform}|${this.tenantOf(context.id)}|${state.account.generatedId}` : undefined;
    };
    return {
      seal: (head) => {
        const bound = owner();
        // A hostile sender chooses ids of any length.
        const isLong = head.chat.length + head.id.length + head.author.length > idsMaxLength;
        const ref = bound === undefined || isLong ? undefined : this.tokens.seal(packHead(head), bound);
        return ref !== undefined && ref.length <= refMaxLength ? ref : undefined;
      },
      open: (ref) => {
        const bound = owner();
        const packed = bound === undefined || ref.length > refMaxLength ? undefined : this.tokens.open(ref, bound);
        return packed && unpackHead(packed);
      },
    };
  }
}

/** True for a text that has the form of a ref, valid or not. Ids of messages are shorter. */
export const isRefShaped = (text: string): boolean => /^[\w-]{65,1024}$/.test(text);

/** Characters of a ref. */
const refMaxLength = 1_024;
/** Characters of the chat, the message and the author together. */
const idsMaxLength = 512;
