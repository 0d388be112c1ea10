import { chatTexts } from "./chat-texts.js";
import { groupTexts } from "./group-texts.js";
import { listTexts } from "./list-texts.js";
import { messageTexts } from "./message-texts.js";
import { sessionTexts } from "./session-texts.js";
import type { Texts } from "./types.js";

/** Texts of variant B's calls. */
export const texts: Texts = { ...sessionTexts, ...messageTexts, ...chatTexts, ...listTexts, ...groupTexts };
