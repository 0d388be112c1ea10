import { linkedMemoryOf } from "../conversation/linked-memory.js";

export const linkedTelegram = linkedMemoryOf("telegram");
