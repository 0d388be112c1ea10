import { clusterTexts } from "./cluster-texts.js";
import { recordTexts } from "./record-texts.js";
import { sessionTexts } from "./session-texts.js";
import { tenantTexts } from "./tenant-texts.js";
import type { Texts } from "./types.js";

/** Texts of the operators' calls. */
export const texts: Texts = { ...sessionTexts, ...clusterTexts, ...tenantTexts, ...recordTexts };
