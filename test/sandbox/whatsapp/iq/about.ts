import { bytesOf, node, stanzaId, unixSeconds } from "../protocol/node.js";
import { IqFault } from "../whatsapp-backend.js";
import { jidOf } from "../world/jid.js";
import type { IqHandler } from "./iq-request.js";

/** Characters, as the platform's own clients limit the text. */
const maxAbout = 139;

/** Sets the account's text, and notifies its devices (whatsmeow's user.go, SetStatusMessage, and notification.go). */
export const setAbout: IqHandler = ({ world, account, query, stanza, tell }) => {
  if (stanza.attrs.type !== "set") throw new IqFault(400, "bad-request");
  const about = bytesOf(query)?.toString() ?? "";
  if ([...about].length > maxAbout) throw new IqFault(406, "not-acceptable");
  account.about = about;
  account.changed = true;
  world.changed("world");
  tell([account], () =>
    node("notification", { from: jidOf(account), type: "status", id: stanzaId(), t: unixSeconds(), notify: account.pushName }, [
      node("set", {}, Buffer.from(about)),
    ]),
  );
  return undefined;
};
