import { child, node, stanzaId, unixSeconds } from "../protocol/node.js";
import { IqFault, serverJid } from "../whatsapp-backend.js";
import { jidOf, userOfJid } from "../world/jid.js";
import type { IqHandler } from "./iq-request.js";

export const blocklist: IqHandler = ({ account }) => [
  node(
    "list",
    { dhash: String(account.blocked.size) },
    [...account.blocked].map((jid) => node("item", { jid, t: unixSeconds() })),
  ),
];

/** Clients name the person by a LID or a number (Baileys' chats.js, updateBlockStatus; whatsmeow's user.go, UpdateBlocklist). */
export const changeBlocklist: IqHandler = (request) => {
  const { world, account, query, tell } = request;
  const { action, jid = "" } = query?.attrs ?? {};
  const user = userOfJid(jid);
  if ((action !== "block" && action !== "unblock") || user === undefined) throw new IqFault(400, "bad-request");
  if (user.phone === account.phone) throw new IqFault(406, "not-acceptable");
  const before = String(account.blocked.size);
  if (action === "block") account.blocked.add(jidOf(user));
  else account.blocked.delete(jidOf(user));
  account.changed = true;
  world.changed("world");
  tell([account], () =>
    node("notification", { from: serverJid, type: "account_sync", id: stanzaId(), t: unixSeconds() }, [
      node("blocklist", { action: "modify", prev_dhash: before, dhash: String(account.blocked.size) }, [node("item", { action, jid })]),
    ]),
  );
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
