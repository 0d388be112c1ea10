import type { CommandFacts } from "./command-row.js";
import { sending } from "./sending.js";

/** Facts of commands that change groups. A repeated change leaves the group as it is. The time includes the download of a picture. */
export const groupChange: CommandFacts & { readonly session: "finds" } = { ...sending, isMessage: false };
