import type { SessionId } from "../../../shared/contract/ids.js";
import { isPlatform, type Platform } from "../../../shared/contract/platform.js";
import type { TenantName } from "../../../shared/contract/tenant.js";
import type { KeyRing } from "../../../shared/config/key-ring.js";
import { RecordTexts } from "../../../shared/session/record-texts.js";
import type { SessionKey } from "../../../shared/session/session-key.js";
import type { SessionState } from "../../../shared/session/state.js";
import { openState, unopenedState } from "../../../shared/session/stored-state.js";
import { openHealth, type StoredHealth } from "../../../shared/session/stored-health.js";
import { parseSummary, summaryOf, type SessionLife, type SessionSummary } from "../../../shared/session/summary.js";
import { UnreadableRecord } from "../../../shared/session/unreadable-record.js";
import { tenantIn } from "./tenant-sessions.js";

export interface LoadedSession {
  id: SessionId;
  platform: Platform;
  tenant: TenantName;
  /** Which tenant of that name (`TenantLife`); empty for the default tenant. */
  incarnation: string;
  state: SessionState;
  life: SessionLife;
  health: StoredHealth;
  /** Its webhook is on. */
  hasWebhook: boolean;
  /** It has a proxy of its own. */
  hasProxy: boolean;
  /** Absent where it must be unwrapped first: for a new session, and for one whose key does not open. */
  key?: SessionKey;
}

/** The fields of a session's hash that its owner loads, in the order in which they are read. */
export const loadedFields = ["platform", "state", "wh", "summary", "tenant", "dk", "proxy", "incarnation", "health"] as const;

/** Returns `undefined` when the fields are not a session's record. */
export function loadedSession(
  ring: KeyRing,
  id: SessionId,
  [platform, state, webhook, summary, tenant, wrapped, proxy, incarnation, health]: readonly (Buffer | null)[],
): LoadedSession | undefined {
  const texts = new RecordTexts(ring, id, wrapped);
  const opened = openState(texts, state);
  const name = platform?.toString();
  if (opened === undefined || !isPlatform(name)) return undefined;
  return {
    id,
    platform: name,
    tenant: tenantIn(tenant?.toString()),
    incarnation: incarnation?.toString() ?? "",
    state: opened,
    life: lifeOf(opened, openSummary(texts, summary)),
    health: openHealth(texts, health),
    hasWebhook: webhook != null,
    hasProxy: proxy != null && proxy.length > 0,
    ...(opened !== unopenedState && { key: texts.key }),
  };
}

/** Seals a state and the values that are stored with it. */
export function sealedState(key: SessionKey, state: SessionState, life: SessionLife) {
  const summary = summaryOf(state, life);
  const account = "account" in state ? state.account.generatedId : "";
  const text = storedForm(state);
  return {
    state: key.sealText(text, "state"),
    mac: stateMac(key, text),
    account: sealedOrEmpty(key, account, "account"),
    summary: sealedOrEmpty(key, summary === undefined ? "" : JSON.stringify(summary), "summary"),
  };
}

/** Empty stays empty: readers may see that there is no value. */
export function sealedOrEmpty(key: SessionKey, text: string, field: string): Buffer | "" {
  return text === "" ? "" : key.sealText(text, field);
}

/** Returns a MAC by which a script compares states without reading them. */
const stateMac = (key: SessionKey, text: string): string => key.name("state", text);

export const macOf = (key: SessionKey, state: SessionState): string => stateMac(key, storedForm(state));

/** The text of a QR code is a login secret, so it never enters the record. Only its picture is stored, in a key that lives 60 s. */
function storedForm(state: SessionState): string {
  return JSON.stringify(state.kind === "awaiting-qr" ? { ...state, qr: "" } : state);
}

/** Returns `undefined` when there is no summary, or it does not open. */
export function openSummary(texts: RecordTexts, stored: Buffer | null | undefined): SessionSummary | undefined {
  try {
    return parseSummary(texts.open(stored, "summary"));
  } catch (error) {
    // The summary is only for display; the next state writes a new one.
    if (error instanceof UnreadableRecord) return undefined;
    throw error;
  }
}

/** Returns the life that the former owner stored. If the state differs from the stored summary, it begins now. */
function lifeOf(state: SessionState, summary: SessionSummary | undefined): SessionLife {
  const since = summary?.state === state.kind ? new Date(summary.since) : new Date();
  return { since: Number.isNaN(since.getTime()) ? new Date() : since, lastError: summary?.lastError ?? "", ...linkIn(summary) };
}

/** Returns when the account was last linked. */
export function linkIn(summary: SessionSummary | undefined): Pick<SessionLife, "linked"> {
  const linked = new Date(summary?.linked ?? "");
  return Number.isNaN(linked.getTime()) ? {} : { linked };
}
