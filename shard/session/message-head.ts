import { packFields, readFields } from "../../shared/media/packed-fields.js";

/** What a ref holds of its message. */
export interface MessageHead {
  /** The chat, in the platform's own form. */
  readonly chat: string;
  readonly id: string;
  /** The sender in a group; empty elsewhere. */
  readonly author: string;
  readonly fromMe: boolean;
  /** Unix seconds; 0 if unknown. */
  readonly at: number;
  /** `type` of the event's message. */
  readonly type: string;
  /** The message in the platform's own form, as far as it fits; empty where the id is enough. */
  readonly content: Buffer;
  /** True if the message can be forwarded with what the ref holds. */
  readonly whole: boolean;
}

/** Bytes of `content`, so that a ref stays below 1 KiB with the longest ids. */
export const headContentMaxBytes = 560;

export function packHead({ chat, id, author, fromMe, at, type, content, whole }: MessageHead): Buffer {
  const head = Buffer.alloc(headBytes);
  head.writeUInt8(version, 0);
  head.writeUInt8((fromMe ? fromMeFlag : 0) | (whole ? wholeFlag : 0), 1);
  head.writeUIntBE(Number.isSafeInteger(at) && at > 0 && at < 2 ** 48 ? at : 0, 2, 6);
  return Buffer.concat([head, packFields([...[chat, id, author, type].map((text) => Buffer.from(text)), content])]);
}

/** Returns the head, or `undefined` if another version packed it. */
export function unpackHead(packed: Buffer): MessageHead | undefined {
  if (packed.length < headBytes || packed.readUInt8(0) !== version) return undefined;
  const fields = readFields(packed.subarray(headBytes));
  if (fields?.length !== fieldCount) return undefined;
  const [chat, id, author, type] = fields.map(String);
  const content = fields.at(-1);
  if (chat === undefined || id === undefined || author === undefined || type === undefined || content === undefined) return undefined;
  const flags = packed.readUInt8(1);
  const at = packed.readUIntBE(2, 6);
  return { chat, id, author, type, content, at, fromMe: (flags & fromMeFlag) !== 0, whole: (flags & wholeFlag) !== 0 };
}

const version = 1;
const headBytes = 8;
const fieldCount = 5;
const fromMeFlag = 1;
const wholeFlag = 2;
