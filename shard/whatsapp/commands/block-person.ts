import type { BinaryNode } from "@whiskeysockets/baileys";
import type { SessionReference } from "../../../shared/contract/session.js";
import { invalidPerson, platformError } from "../../../shared/contract/whatsapp/errors.js";
import type { BlockInput } from "../../../shared/contract/whatsapp/message.js";
import type { Client } from "../client.js";
import type { WhatsAppConnector } from "../connector.js";
import { recipientJid } from "../message/recipient-jid.js";
import { refusalText } from "../refusal.js";

/** POST /block. Blocking a person again changes nothing. */
export function blockPerson(connector: WhatsAppConnector, input: BlockInput): Promise<SessionReference> {
  return changeBlock(connector, input, "block");
}

/** DELETE /block. */
export function unblockPerson(connector: WhatsAppConnector, input: BlockInput): Promise<SessionReference> {
  return changeBlock(connector, input, "unblock");
}

async function changeBlock(connector: WhatsAppConnector, { to }: BlockInput, action: "block" | "unblock"): Promise<SessionReference> {
  const jid = recipientJid(to);
  if (jid === undefined) throw invalidPerson();
  const client = connector.connected();
  await client.query(blockQuery(action, await namesOf(client, jid)));
  return { id: connector.id };
}

interface Names {
  readonly lid: string;
  /** `undefined` if the platform hides the number. */
  readonly pn: string | undefined;
}

/** The platform identifies blocked people by their anonymous id. */
async function namesOf(client: Client, jid: string): Promise<Names> {
  const { lidMapping } = client.sock.signalRepository;
  if (jid.endsWith("@lid")) return { lid: jid, pn: (await lidMapping.getPNForLID(jid)) ?? undefined };
  const lid = await client.runQuery(() => lidMapping.getLIDForPN(jid));
  if (lid === null) throw platformError(refusalText("404"));
  return { lid, pn: jid };
}

/** Unlike the library's own call, this one also blocks a person whose number is hidden. */
function blockQuery(action: "block" | "unblock", { lid, pn }: Names): BinaryNode {
  const attrs = { action, jid: lid, ...(action === "block" && pn !== undefined && { pn_jid: pn }) };
  return {
    tag: "iq",
    attrs: { to: "@s.whatsapp.net", type: "set", xmlns: "blocklist" },
    content: [{ tag: "item", attrs }],
  };
}
