import { getBinaryNodeChild, getBinaryNodeChildString, jidEncode, type BinaryNode } from "@whiskeysockets/baileys";
import type { Client } from "../client.js";
import type { GroupDetails } from "./describe-group.js";

/** The address of requests about no group in particular. */
export const allGroups = "@g.us";

/** Sends a request about a group, and returns the response. Rejects like the platform. */
export function queryGroup(client: Client, to: string, type: "get" | "set", content: BinaryNode): Promise<BinaryNode> {
  return client.query({ tag: "iq", attrs: { to, type, xmlns: "w:g2" }, content: [content] });
}

/** Reads the details in a `group` node; `undefined` for a node without an id. */
export function detailsIn(group: BinaryNode | undefined): GroupDetails | undefined {
  const { id, subject = "", creation } = group?.attrs ?? {};
  if (id === undefined) return undefined;
  const desc = getBinaryNodeChildString(getBinaryNodeChild(group, "description"), "body");
  return { id: id.includes("@") ? id : jidEncode(id, "g.us"), subject, desc, creation: Number(creation) };
}
