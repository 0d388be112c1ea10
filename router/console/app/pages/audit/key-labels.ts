import { call } from "../../api/call.js";
import type { KeyRow } from "../../api/operator-rows.js";
import type { Page } from "../../api/rows.js";
import { may } from "../../sign-in/who.js";
import { useLoaded } from "../../ui/use-loaded.js";
import { labelText } from "../keys/label-text.js";
import { actorText } from "./audit-texts.js";

/** Labels of keys by their ids: none for whoever may not list keys, and none of keys that were revoked. */
export function useKeyLabels(): ReadonlyMap<string, string> {
  return useLoaded(readLabels, []).value ?? new Map<string, string>();
}

/** Returns who acted: the label of a key, or what `actorText` returns. */
export function actorName(who: string, labels: ReadonlyMap<string, string>): string {
  const label = labels.get(who);
  return label === undefined ? actorText(who) : labelText(label);
}

async function readLabels(signal: AbortSignal): Promise<ReadonlyMap<string, string>> {
  const labels = new Map<string, string>();
  let after = "";
  if (may("administer"))
    do {
      const { docs, next } = await call<Page<KeyRow>>("GET /admin/keys", { query: { limit: 1_000, after }, signal });
      for (const { id, label } of docs) if (label !== "") labels.set(id, label);
      after = next;
    } while (after !== "");
  return labels;
}
