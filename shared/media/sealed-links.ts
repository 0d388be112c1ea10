import { openWith, sealWith } from "../config/key-ring.js";
import { isSessionId, type SessionId } from "../contract/ids.js";
import type { MediaAddress } from "../contract/media.js";
import { packFacts, sealedVariants, unpackFacts, type FileFacts } from "./file-facts.js";
import type { LinkKeys, LinkParts } from "./link.js";

/** A link that was opened: its target, the facts of its file, and its last path segment, which a shard opens again. */
export interface OpenedLink {
  readonly address: MediaAddress & { readonly sealed: string };
  readonly facts: FileFacts;
}

/**
 * Links that need no record of their file. The signature holds the sealed facts of the file: key letter, then base64url of AES-256-GCM,
 * with the other parts of the path as associated data. Links do not expire; removing a key revokes its links.
 */
export class SealedLinks {
  private readonly keys: ReadonlyMap<string, Buffer>;

  constructor(links: LinkKeys) {
    this.keys = links.derive("sealed-media");
  }

  /** Returns the path after the platform's prefix; `undefined` for a malformed address, or if the path would be too long. */
  seal(session: SessionId, { chatId, messageId, variant }: MediaAddress, ext: string, facts: FileFacts): string | undefined {
    const parts = { session, chatId, messageId, variant, ext };
    const [first] = this.keys;
    if (first === undefined || !wellFormed(parts)) return undefined;
    const [name, key] = first;
    const pathWith = (sidecar: Buffer): string => {
      const signature = name + sealWith(key, packFacts({ ...facts, sidecar }), contextOf(parts)).toString("base64url");
      return `/media/${session}/${chatId}/${messageId}/${variant}/${signature}.${ext}`;
    };
    const path = pathWith(facts.sidecar);
    if (path.length <= pathMax) return path;
    const shorter = pathWith(Buffer.alloc(0));
    return shorter.length <= pathMax ? shorter : undefined;
  }

  /** Returns what a link holds, `undefined` when any part was altered. Only the cipher compares secrets, in constant time. */
  open({ signature, ...parts }: LinkParts): OpenedLink | undefined {
    const fits = signature.length <= pathMax && wellFormed(parts);
    const key = this.keys.get(signature.slice(0, 1)) ?? unknownKey;
    const sealed = Buffer.from(fits ? signature.slice(1) : "", "base64url");
    // Texts are compared, not only bytes: decoding forgives spare bits and foreign characters.
    const canonical = sealed.toString("base64url") === signature.slice(1);
    const packed = openOrNothing(key, sealed, contextOf(parts));
    const facts = packed === undefined || !canonical ? undefined : unpackFacts(packed);
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
/** Opens nothing. */
const unknownKey = Buffer.alloc(32);

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

function openOrNothing(key: Buffer, sealed: Buffer, context: string): Buffer | undefined {
  try {
    return openWith(key, sealed, context);
  } catch {
    return undefined; // The error is dropped because every altered link is rejected alike.
  }
}
