import { child, node, unixSeconds } from "../protocol/node.js";
import { IqFault } from "../whatsapp-backend.js";
import type { IqHandler } from "./iq-request.js";

export const blocklist: IqHandler = ({ account }) => [
  node(
    "list",
    { dhash: String(account.blocked.size) },
    [...account.blocked].map((jid) => node("item", { jid, t: unixSeconds() })),
  ),
];

export const changeBlocklist: IqHandler = (request) => {
  const { action, jid } = request.query?.attrs ?? {};
  if (jid === undefined) throw new IqFault(400, "bad-request");
  if (action === "block") request.account.blocked.add(jid);
  else request.account.blocked.delete(jid);
  return blocklist(request);
};

/** Returns all categories, or sets the category that the request names. */
export const privacySettings: IqHandler = ({ account, stanza, query }) => {
  const { name, value } = child(query, "category")?.attrs ?? {};
  if (stanza.attrs.type === "set" && name !== undefined && value !== undefined) account.privacy.set(name, value);
  return [
    node(
      "privacy",
      {},
      [...account.privacy].map(([category, setting]) => node("category", { name: category, value: setting })),
    ),
  ];
};

/** Returns who sees the account's statuses. Lists that are not in force are empty. */
export const statusPrivacy: IqHandler = ({ account }) => {
  if (account.statusPrivacy === undefined) throw new IqFault(404, "item-not-found");
  const { list, users } = account.statusPrivacy;
  const inForce = node(
    "list",
    { type: list, default: "true" },
    users.map((jid) => node("user", { jid })),
  );
  const others = (["contacts", "blacklist", "whitelist"] as const)
    .filter((type) => type !== list)
    .map((type) => node("list", { type }, []));
  return [node("privacy", {}, [...others, inForce])];
};
