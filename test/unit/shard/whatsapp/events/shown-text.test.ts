import type { proto } from "@whiskeysockets/baileys";
import { expect, it } from "vitest";
import { shownText } from "../../../../../shard/whatsapp/events/shown-text.js";
import { received } from "./events-under-test.js";

const four = { hydratedTitleText: "Invoice", hydratedContentText: "It is ready.", hydratedFooterText: "Shop" };
const interactive = { header: { title: "Invoice" }, body: { text: "It is ready." }, footer: { text: "Shop" } };
const all = "Invoice\nIt is ready.\nShop";

it.each<[string, proto.IMessage, string]>([
  ["buttons", { buttonsMessage: { contentText: "Which one?", footerText: "Shop" } }, "Which one?\nShop"],
  ["a list", { listMessage: { title: "Menu", description: "Choose", buttonText: "Open" } }, "Menu\nChoose"],
  ["a template", { templateMessage: { hydratedTemplate: four } }, all],
  ["a template's rows", { templateMessage: { hydratedFourRowTemplate: four } }, all],
  ["a template's interactive form", { templateMessage: { interactiveMessageTemplate: interactive } }, all],
  ["an empty template", { templateMessage: {} }, ""],
  ["an interactive message", { interactiveMessage: interactive }, all],
  ["an interactive message without a title", { interactiveMessage: { body: { text: "It is ready." } } }, "It is ready."],
  ["an event", { eventMessage: { name: "Dinner", description: "At seven" } }, "Dinner\nAt seven"],
  ["a product", { productMessage: { product: { title: "Cake" }, body: "Fresh" } }, "Cake\nFresh"],
  ["an order", { orderMessage: { orderTitle: "Shop", message: "Two cakes" } }, "Shop\nTwo cakes"],
  ["an invitation to a group", { groupInviteMessage: { groupName: "Family", caption: "Join us" } }, "Family\nJoin us"],
  ["an invitation to administer a channel", { newsletterAdminInviteMessage: { caption: "Help us" } }, "Help us"],
  ["a chosen button", { buttonsResponseMessage: { selectedButtonId: "1", selectedDisplayText: "Yes" } }, "Yes"],
  ["a chosen entry of a list", { listResponseMessage: { title: "Cake", description: "with cream" } }, "Cake"],
  ["a chosen button of a template", { templateButtonReplyMessage: { selectedId: "1", selectedDisplayText: "Yes" } }, "Yes"],
  ["an answer to an interactive message", { interactiveResponseMessage: { body: { text: "Yes" } } }, "Yes"],
  ["a message of another type", { requestPhoneNumberMessage: {} }, ""],
])("the text of %s", (_, message, text) => {
  expect(shownText(received(message))).toBe(text);
});
