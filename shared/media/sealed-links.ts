import { isSessionId, type SessionId } from "../contract/ids.js";
import type { MediaAddress } from "../contract/media.js";
import { packFacts, sealedVariants, unpackFacts, type FileFacts } from "./file-facts.js";
import type { LinkKeys, LinkParts } from "./link.js";
import { SealedTokens } from "./sealed-tokens.js";

/** A link that was opened: its target, the facts of its file, and its last path segment, which a shard opens again. */
export interface OpenedLink {
  readonly address: MediaAddress & { readonly sealed: string };
  readonly facts: FileFacts;
}

/**
 * Links that need no record of their file. The signature holds the sealed facts of the file, with the other parts of the path as
 * associated data. Links do not expire; removing a key revokes its links.
 */
export class SealedLinks {
  private readonly tokens: SealedTokens;

  constructor(links: LinkKeys) {
    this.tokens = new SealedTokens(links, "sealed-media");
  }

  /** Returns the path after the platform's prefix; `undefined` for a malformed address, or if the path would be too long. */
  seal(session: SessionId, { chatId, messageId, variant }: MediaAddress, ext: string, facts: FileFacts): string | undefined {
    const parts = { session, chatId, messageId, variant, ext };
    if (!wellFormed(parts)) return undefined;
    const pathWith = (sidecar: Buffer): string | undefined => {
      const signature = this.tokens.seal(packFacts({ ...facts, sidecar }), contextOf(parts));
      const path = signature && `/media/${session}/${chatId}/${messageId}/${variant}/${signature}.${ext}`;
      return path !== undefined && path.length <= pathMax ? path : undefined;
    };
    return pathWith(facts.sidecar) ?? pathWith(Buffer.alloc(0));
  }

  /** Returns what a link holds, `undefined` when any part was altered. */
  open({ signature, ...parts }: LinkParts): OpenedLink | undefined {
    const packed = signature.length <= pathMax && wellFormed(parts) ? this.tokens.open(signature, contextOf(parts)) : undefined;
    const facts = packed && unpackFacts(packed);
    const variant = sealedVariants.find((one) => one === parts.variant);
    if (facts === undefined || variant === undefined) return undefined;
    const { chatId, messageId, ext } = parts;
    return { address: { chatId, messageId, variant, sealed: `${signature}.${ext}` }, facts };
  }

  /** Opens the link of an address that a router opened before. */
  openAddress(session: SessionId, { chatId, messageId, variant, sealed = "" }: MediaAddress): OpenedLink | undefined {
    return this.open({ session, chatId, messageId, variant, ...splitFile(sealed) });
  }
}

/** Splits the last segment of a media path at its first dot. */
export function splitFile(file: string): Pick<LinkParts, "signature" | "ext"> {
  const dot = file.indexOf(".");
  return dot < 0 ? { signature: file, ext: "" } : { signature: file.slice(0, dot), ext: file.slice(dot + 1) };
}

/** Bytes of the path, so that the whole URL stays below 2 KiB. A longer one loses its sidecar. */
const pathMax = 1_900;

/** The shapes keep `|` out of the associated data and the parts out of each other. */
const chatShape = /^[0-9]{1,24}(?:-[0-9]{1,20})?@[a-z.]{1,16}$/;
const messageShape = /^[A-Za-z0-9_-]{1,64}$/;
const extension = /^[a-z0-9]{1,8}$/;

type SealedParts = Omit<LinkParts, "signature">;

function wellFormed({ session, chatId, messageId, variant, ext }: SealedParts): boolean {
  const isKnown = sealedVariants.some((one) => one === variant);
  return isSessionId(session) && chatShape.test(chatId) && messageShape.test(messageId) && isKnown && extension.test(ext);
}

function contextOf({ session, chatId, messageId, variant, ext }: SealedParts): string {
  return `v1|${session}|${chatId}|${messageId}|${variant}|${ext}`;
}
