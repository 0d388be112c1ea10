import type { proto } from "@whiskeysockets/baileys";

/** Returns the text that a phone shows of a message whose type has no fields of its own, such as one with buttons; empty without one. */
export function shownText(message: proto.IMessage): string {
  return partsOf(message)
    .filter((part) => typeof part === "string" && part !== "")
    .join("\n");
}

/** A title, the text, and what stands below it. */
function partsOf(message: proto.IMessage): readonly (string | null | undefined)[] {
  const { buttonsMessage, listMessage, templateMessage, interactiveMessage, eventMessage, productMessage, orderMessage } = message;
  if (buttonsMessage) return [buttonsMessage.text, buttonsMessage.contentText, buttonsMessage.footerText];
  if (listMessage) return [listMessage.title, listMessage.description, listMessage.footerText];
  if (templateMessage) return templateParts(templateMessage);
  if (interactiveMessage) return interactiveParts(interactiveMessage);
  if (eventMessage) return [eventMessage.name, eventMessage.description];
  if (productMessage) return [productMessage.product?.title, productMessage.body, productMessage.footer];
  if (orderMessage) return [orderMessage.orderTitle, orderMessage.message];
  const { groupInviteMessage, newsletterAdminInviteMessage } = message;
  return [groupInviteMessage?.groupName, groupInviteMessage?.caption, newsletterAdminInviteMessage?.caption, ...answersIn(message)];
}

/** A business sends what it has in a template as one of these. */
function templateParts({
  hydratedTemplate,
  hydratedFourRowTemplate,
  interactiveMessageTemplate,
}: proto.Message.ITemplateMessage): ReturnType<typeof partsOf> {
  const rows = hydratedTemplate ?? hydratedFourRowTemplate;
  if (rows) return [rows.hydratedTitleText, rows.hydratedContentText, rows.hydratedFooterText];
  return interactiveMessageTemplate ? interactiveParts(interactiveMessageTemplate) : [];
}

function interactiveParts({ header, body, footer }: proto.Message.IInteractiveMessage): ReturnType<typeof partsOf> {
  return [header?.title, body?.text, footer?.text];
}

/** What a person has chosen in such a message. */
function answersIn(message: proto.IMessage): ReturnType<typeof partsOf> {
  return [
    message.buttonsResponseMessage?.selectedDisplayText,
    message.listResponseMessage?.title,
    message.templateButtonReplyMessage?.selectedDisplayText,
    message.interactiveResponseMessage?.body?.text,
  ];
}
