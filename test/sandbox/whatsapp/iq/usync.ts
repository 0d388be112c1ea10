import type { BinaryNode } from "@whiskeysockets/baileys";
import { bytesOf, child, children, node } from "../protocol/node.js";
import { IqFault, type User } from "../whatsapp-backend.js";
import { jidOf, userOfJid } from "../world/jid.js";
import { personByPhone } from "../world/person.js";
import type { IqHandler, IqRequest } from "./iq-request.js";

const maxUsers = 5_000;

/** Returns devices, LIDs, default timers and existence of users, who are named by a JID or a typed number. */
export const usync: IqHandler = (request) => {
  const { context = "", mode = "", sid = "" } = request.query?.attrs ?? {};
  const protocols = children(child(request.query, "query")).map(({ tag }) => tag);
  const users = children(child(request.query, "list"), "user");
  if (users.length > maxUsers) throw new IqFault(400, "bad-request");
  const list = users.flatMap((user) => described(request, user, protocols) ?? []);
  return [
    node("usync", { context, mode, sid, index: "0", last: "true" }, [
      node(
        "result",
        {},
        protocols.map((tag) => node(tag)),
      ),
      node("list", {}, list),
    ]),
  ];
};

/** A number without an account stays in the response, without devices and LID. */
function described(request: IqRequest, asked: BinaryNode, protocols: readonly string[]): BinaryNode | undefined {
  const typed = bytesOf(child(asked, "contact"))?.toString().replace(/\D/g, "");
  const jid = asked.attrs.jid ?? (typed === undefined ? undefined : jidOf({ phone: typed }));
  if (jid === undefined) return undefined;
  const user = asked.attrs.jid === undefined ? personByPhone(typed ?? "") : userOfJid(jid);
  const answers = protocols.flatMap((protocol) => {
    // The typed number is returned: whatsmeow matches results by it.
    if (protocol === "contact") return node("contact", { type: user === undefined ? "out" : "in" }, bytesOf(child(asked, "contact")));
    return (user === undefined ? absent(protocol) : present(request, user, protocol, jid)) ?? [];
  });
  return node("user", { jid }, answers);
}

function present({ wire, world, device: asking }: IqRequest, user: User, protocol: string, jid: string): BinaryNode | undefined {
  switch (protocol) {
    case "devices": {
      if (world.accounts.ofPhone(user.phone) !== undefined) world.deviceWatch.asked(asking, user);
      const devices = [0, ...wire.devices(user.phone).map(({ number }) => number)].map((number) =>
        node("device", { id: String(number), ...(number > 0 && { "key-index": String(number) }) }),
      );
      return node("devices", {}, [node("device-list", {}, devices)]);
    }
    case "lid":
      return jid.endsWith("@lid") ? undefined : node("lid", { val: `${user.lid}@lid` });
    case "disappearing_mode": {
      const { seconds = 0, setAt = 0 } = world.defaultTimers.get(user.phone) ?? {};
      return node("disappearing_mode", { duration: String(seconds), t: String(setAt) });
    }
    case "status":
      return node("status", { t: String(world.startedAt) }, Buffer.from(world.accounts.ofPhone(user.phone)?.about ?? "Available"));
    default:
      return undefined;
  }
}

function absent(protocol: string): BinaryNode | undefined {
  return protocol === "devices" ? node("devices", {}, [node("device-list", {}, [])]) : undefined;
}
