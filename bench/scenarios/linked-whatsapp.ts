import { linkedMemoryOf } from "../conversation/linked-memory.js";

export const linkedWhatsapp = linkedMemoryOf("whatsapp");
