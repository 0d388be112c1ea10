import { conversationOf } from "../conversation/conversation-scenario.js";

export const conversationWhatsapp = conversationOf("whatsapp", 0.5);
