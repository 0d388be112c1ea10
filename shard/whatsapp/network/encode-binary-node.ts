import type { BinaryNode } from "@whiskeysockets/baileys";
import { FrameWriter } from "./frame-writer.js";

/**
 * A node as WhatsApp's binary XML, with the byte before it that says that it is not compressed: byte for byte what `lib/WABinary/encode.js` of Baileys makes of it. The library puts
 * its bytes one by one into an array, and makes twenty functions for each node: a seventh of what a text leaves for the collector. In the programs this stands in that file's place
 * (`deploy/setup/bundle.mjs`); modules that are loaded one by one have the library's own. Throws for a node without a tag, for content of another kind, and for more than
 * 65,535 children.
 */
export function encodeBinaryNode(node: BinaryNode): Buffer {
  const frame = new FrameWriter();
  frame.byte(notCompressed);
  writeNode(frame, node);
  return frame.end();
}

const notCompressed = 0;

/** What the library's JavaScript hands over, which no compiler has seen. */
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

/** What has no tag is left out, but for texts and bytes: these are an error. */
function isChild(child: unknown): child is GivenNode {
  if (typeof child === "string") return child !== "";
  return typeof child === "object" && child !== null && (child instanceof Uint8Array || ("tag" in child && Boolean(child.tag)));
}
