import type { BinaryNode } from "@whiskeysockets/baileys";
import { child, node } from "../protocol/node.js";
import { IqFault } from "../whatsapp-backend.js";
import { jidOf, userOfJid } from "../world/jid.js";
import type { IqHandler } from "./iq-request.js";

/**
 * Returns a business account's profile. Other accounts get an empty result, which clients read as none (whatsmeow's user.go, Baileys'
 * chats.js).
 */
export const businessProfile: IqHandler = ({ world, query }) => {
  const { jid } = child(query, "profile")?.attrs ?? {};
  if (jid === undefined) throw new IqFault(400, "bad-request");
  const user = userOfJid(jid);
  const name = user && world.accounts.ofPhone(user.phone)?.options.businessName;
  return [node("business_profile", { v: "244" }, user === undefined || name === undefined ? [] : [profileOf(jidOf(user), name)])];
};

function profileOf(jid: string, name: string): BinaryNode {
  const text = (tag: string, content: string): BinaryNode => node(tag, {}, Buffer.from(content));
  const day = (day_of_week: string): BinaryNode =>
    node("business_hours_config", { day_of_week, mode: "specific_hours", open_time: "540", close_time: "1080" });
  return node("profile", { jid, tag: "1" }, [
    text("address", "1 Sandbox Street"),
    text("description", name),
    text("website", "https://example.com"),
    text("email", "shop@example.com"),
    node("categories", {}, [node("category", { id: "200600624" }, Buffer.from("Shop"))]),
    node("profile_options", {}, [text("commerce_experience", "catalog"), text("cart_enabled", "true")]),
    node("business_hours", { timezone: "Asia/Tokyo" }, ["mon", "tue", "wed"].map(day)),
  ]);
}
