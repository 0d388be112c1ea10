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
  /** Returns what `sealPacked` makes a ref of, for a place that is sealed itself. Costs a tenth of `seal`. */
  pack(head: MessageHead): string | undefined;
  sealPacked(packed: string): string | undefined;
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
    const seal = (packed: Buffer): string | undefined => {
      const bound = owner();
      const ref = bound === undefined ? undefined : this.tokens.seal(packed, bound);
      return ref !== undefined && ref.length <= refMaxLength ? ref : undefined;
    };
    return {
      seal: (head) => (isLong(head) ? undefined : seal(packHead(head))),
      pack: (head) => (isLong(head) ? undefined : packHead(head).toString("base64url")),
      sealPacked: (packed) => seal(Buffer.from(packed, "base64url")),
      open: (ref) => {
        const bound = owner();
        const packed = bound === undefined || ref.length > refMaxLength ? undefined : this.tokens.open(ref, bound);
        return packed && unpackHead(packed);
      },
    };
  }
}

/** A hostile sender chooses ids of any length. */
const isLong = ({ chat, id, author }: MessageHead): boolean => chat.length + id.length + author.length > idsMaxLength;

/** True for a text that has the form of a ref, valid or not. Ids of messages are shorter. */
export const isRefShaped = (text: string): boolean => /^[\w-]{65,1024}$/.test(text);

/** Characters of a ref. */
const refMaxLength = 1_024;
/** Characters of the chat, the message and the author together. */
const idsMaxLength = 512;
