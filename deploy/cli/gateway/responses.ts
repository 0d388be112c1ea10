import typia from "typia";
import type { AuditRow } from "../../../shared/cluster/audit/audit-row.js";
import type { DeadLetterPage, ReplayOutput } from "../../../shared/contract/dead-letters.js";
import type { Platform } from "../../../shared/contract/platform.js";
import type { SessionCredentials, SessionRecord } from "../../../shared/contract/session.js";
import type { PasskeyStatus } from "../../../shared/contract/passkey.js";

/** Fields of the gateway's responses that the commands read; `--json` prints the whole response. */
export interface SessionRow {
  id: string;
  tenant: string;
  platform: Platform;
  state: string;
  since: string;
  member: string;
  slot: number;
  name: string;
  phone: string;
  label: string;
  lastError: string;
  webhookLag: number;
  queue?: { events: number; deadLetters: number };
  /** Absent from older gateways. */
  proxy?: SessionProxy;
}

/** `of` is `session`, `key`, `tenant` or `none`. */
export interface SessionProxy {
  of: string;
  address: string;
}

export interface MemberRow {
  name: string;
  role: string;
  state: string;
  drained: boolean;
  host: string;
  version: string | null;
  slots: number | null;
  sessions: number | null;
  loopLagMs: number | null;
  memoryBytes: number | null;
}

export interface TenantRow {
  name: string;
  created: string;
  quotas: Record<string, number | null>;
  /** Absent from older gateways. */
  pace?: Record<string, number | null | { days: number; from: number }>;
  proxy?: string | null;
}

export interface KeyRow {
  id: string;
  tenant: string | null;
  role: string;
  label: string;
  created: string;
  expires: string | null;
  /** Absent from older gateways. */
  proxy?: string | null;
  lastUsed: string | null;
}

export interface Keyring {
  sealing: string;
  keys: { id: string; sealing: boolean; records: number | null; neededUntil: string; removable: boolean; missing: string[] }[];
  rotation: { state: string; total: number; done: number; failed: number; started: string; ended: string; member: string } | null;
}

export interface ChatMessageRow {
  id: string;
  created: string;
  fromMe: boolean;
  chat: { id: string; name: string };
  /** Present in groups. */
  author?: { id: string; name: string };
  type: string;
  text: string;
  name: string;
  url: string;
  voice: boolean;
  /** Telegram has the question here, and no type of its own. */
  poll?: { question?: string };
}

export interface ChatRow {
  kind: string;
  chat: { id: string; name: string; username: string };
  unread: number;
  last: ChatMessageRow;
}

/** Variant A has a pairing code as well. */
export type LoginRecord = SessionRecord & { pairingCode?: string };

export interface Page<Row> {
  docs: Row[];
  next: string;
}

export const isCaller = typia.createIs<{ tenant: string | null }>();
export const isSession = typia.createIs<SessionRow>();
export const isSessionPage = typia.createIs<Page<SessionRow>>();
export const isMember = typia.createIs<MemberRow>();
export const isMemberPage = typia.createIs<Page<MemberRow>>();
export const isTenant = typia.createIs<TenantRow>();
export const isTenantPage = typia.createIs<Page<TenantRow>>();
export const isKeyPage = typia.createIs<Page<KeyRow>>();
export const isKey = typia.createIs<KeyRow>();
export const isNewKey = typia.createIs<KeyRow & { key: string }>();
export const isAuditPage = typia.createIs<Page<AuditRow>>();
export const isDeadLetterPage = typia.createIs<DeadLetterPage>();
export const isKeyring = typia.createIs<Keyring>();
export const isLoginRecord = typia.createIs<LoginRecord>();
export const isPasskeyStatus = typia.createIs<PasskeyStatus>();
export const isCredentials = typia.createIs<SessionCredentials>();
export const isMoved = typia.createIs<{ id: string; slot: number; member: string; sessions?: number }>();
export const isProxied = typia.createIs<{ id: string; proxy: SessionProxy }>();
export const isDocs = typia.createIs<{ docs: unknown[] }>();
export const isNamed = typia.createIs<{ id: string } | { name: string }>();
export const isMessageSent = typia.createIs<{ messageId: string } | { statusId: string }>();
/** The response of a call about one message. */
export const isChanged = typia.createIs<{ messageId: string } | { id: string }>();
export const isChatPage = typia.createIs<Page<ChatRow>>();
export const isChatMessagePage = typia.createIs<Page<ChatMessageRow>>();
export const isReplayed = typia.createIs<ReplayOutput>();
