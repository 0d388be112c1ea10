import type { BinaryNode } from "@whiskeysockets/baileys";
import { FrameWriter } from "./frame-writer.js";

/**
 * Encodes a node exactly as `lib/WABinary/encode.js` of Baileys, with less garbage; the bundle uses this file in its place. Throws for a
 * missing tag, invalid content, and more than 65,535 children.
 */
export function encodeBinaryNode(node: BinaryNode): Buffer {
  const frame = new FrameWriter();
  frame.byte(notCompressed);
  writeNode(frame, node);
  return frame.end();
}

const notCompressed = 0;

/** Unchecked input from the library's JavaScript. */
interface GivenNode {
  readonly tag?: string;
  readonly attrs?: Readonly<Record<string, unknown>>;
  readonly content?: unknown;
}

function writeNode(frame: FrameWriter, { tag, attrs = {}, content }: GivenNode): void {
  if (!tag) throw new Error("Invalid node: tag cannot be undefined");
  const names = Object.keys(attrs);
  let given = 0;
  for (const name of names) if (attrs[name] !== undefined && attrs[name] !== null) given += 1;
  frame.list(2 * given + 1 + (content === undefined ? 0 : 1));
  frame.string(tag);
  for (const name of names) {
    const value = attrs[name];
    if (typeof value !== "string") continue;
    frame.string(name);
    frame.string(value);
  }
  if (content === undefined) return;
  if (typeof content === "string") frame.string(content);
  else if (content instanceof Uint8Array) frame.bytes(content);
  else if (Array.isArray(content)) writeChildren(frame, content);
  else throw new Error(`invalid children for header "${tag}": ${content as string} (${typeof content})`);
}

function writeChildren(frame: FrameWriter, content: readonly unknown[]): void {
  const children = content.filter(isChild);
  frame.list(children.length);
  for (const child of children) writeNode(frame, child);
}

/** Children without a tag are skipped. Text and byte children are kept, so that writing them throws. */
function isChild(child: unknown): child is GivenNode {
  if (typeof child === "string") return child !== "";
  return typeof child === "object" && child !== null && (child instanceof Uint8Array || ("tag" in child && Boolean(child.tag)));
}
