import { conversationOf } from "../conversation/conversation-scenario.js";

export const conversationTelegram = conversationOf("telegram", 0.6);
