import type { EventEmitter } from "node:events";
import type { BinaryNode } from "@whiskeysockets/baileys";

/** Returns the names, in order, under which a stanza may have listeners on this socket: `frame`, its response's, and its own. */
export function namesOf(socket: EventEmitter, { tag, attrs, content }: BinaryNode): string[] {
  const names = ["frame", `TAG:${attrs["id"]}`];
  const attributes = attributesOf(socket).get(tag);
  if (attributes === undefined) return names;
  const child = Array.isArray(content) ? content[0]?.tag : "";
  if (attributes.size > 0)
    for (const [name, value] of Object.entries(attrs))
      if (attributes.has(name)) names.push(`CB:${tag},${name}:${value},${child}`, `CB:${tag},${name}:${value}`, `CB:${tag},${name}`);
  names.push(`CB:${tag},,${child}`, `CB:${tag}`);
  return names;
}

/** Attributes that the names of a socket's listeners contain, by tag. Most tags have none. */
type Attributes = ReadonlyMap<string, ReadonlySet<string>>;

const known = new WeakMap<EventEmitter, { attributes: Attributes | undefined }>();

function attributesOf(socket: EventEmitter): Attributes {
  let entry = known.get(socket);
  if (entry === undefined) {
    const added = { attributes: undefined };
    known.set(socket, (entry = added));
    socket.on("newListener", (name: unknown) => {
      if (isStanzaName(name)) added.attributes = undefined;
    });
  }
  return (entry.attributes ??= readAttributes(socket.eventNames().filter(isStanzaName)));
}

function readAttributes(names: readonly string[]): Attributes {
  const byTag = new Map<string, Set<string>>();
  for (const name of names) {
    const [tag = "", attribute = ""] = name.slice(prefix.length).split(",");
    const attributes = byTag.get(tag) ?? new Set<string>();
    if (attribute !== "") attributes.add(attribute.split(":", 1)[0] ?? "");
    byTag.set(tag, attributes);
  }
  return byTag;
}

const prefix = "CB:";

function isStanzaName(name: unknown): name is string {
  return typeof name === "string" && name.startsWith(prefix);
}
