import type { tags } from "typia";
import type { AuditRow } from "../../../shared/cluster/audit/audit-row.js";
import type { DeadLetterPage, ReplayOutput } from "../../../shared/contract/dead-letters.js";
import type { RetryOutput, TestEventOutput } from "../../../shared/contract/webhook-trial.js";
import type { SessionId } from "../../../shared/contract/ids.js";
import type { SessionReference } from "../../../shared/contract/session.js";
import type { TenantName } from "../../../shared/contract/tenant.js";
import type {
  LiveCodeEvent,
  LiveDeliveriesEvent,
  LiveLoadEvent,
  LiveMemberEvent,
  LiveMissedEvent,
  LiveRestrictionEvent,
  LiveRotationEvent,
  LiveSessionEvent,
  LiveSlotsEvent,
} from "../../../shared/cluster/live-events.js";
import type { MemberForm, PageForm } from "../../admin/admin-input.js";
import type { BulkForm, BulkResult } from "../../admin/bulk-sessions.js";
import type { EndReason } from "../../admin/live-events/event-frame.js";
import type { KeyChangeForm, NewKeyForm } from "../../admin/key-body.js";
import type { EncryptionKeys } from "../../admin/keyring-row.js";
import type { ActiveKeyForm } from "../../admin/keyring.js";
import type { CreatedKey, KeyQuery, KeyReference, ApiKey } from "../../admin/keys.js";
import type { MemberRow } from "../../admin/member-rows.js";
import type { Page } from "../../admin/page.js";
import type { SessionFilterForm } from "../../admin/session-filter.js";
import type { CurrentKey } from "../../admin/self.js";
import type { SessionRow } from "../../admin/session-row.js";
import type { ProxyForm, SessionProxy } from "../../admin/session-proxy.js";
import type { MovedSession, SessionDetails } from "../../admin/sessions.js";
import type { SignInOutput, SignInForm } from "../../admin/sign-in.js";
import type { SlotAssignment, SlotRow } from "../../admin/slots.js";
import type { NewTenantForm, TenantChangeForm } from "../../admin/tenant-body.js";
import type { Tenant, TenantReference } from "../../admin/tenants.js";
import type { AuditQuery } from "../../admin/audit.js";
import type { DeadLetterPageForm } from "../../admin/dead-letters.js";
import type { CallTexts } from "../call-text.js";

/** Response type of each operators' call. For `change-sessions` it is one line, for `stream-events` one event. */
export interface Replies {
  "sign-in": SignInOutput;
  "get-self": CurrentKey;
  "list-dead-letters": DeadLetterPage;
  "replay-dead-letters": ReplayOutput;
  "retry-webhook": RetryOutput;
  "send-test-event": TestEventOutput;
  "undelete-session": SessionReference;
  "change-sessions": BulkResult;
  "list-sessions": Page<SessionRow>;
  "get-session": SessionDetails;
  "delete-session": SessionReference;
  "restart-session": SessionReference;
  "move-session": MovedSession;
  "set-proxy": SessionProxy;
  "remove-proxy": SessionProxy;
  "list-members": Page<MemberRow>;
  "drain-member": MemberRow;
  "undrain-member": MemberRow;
  "get-keyring": EncryptionKeys;
  "rotate-keyring": EncryptionKeys;
  "stream-events": string;
  "list-audit": Page<AuditRow>;
  "list-slots": Page<SlotAssignment>;
  "get-slot": SlotRow;
  "pin-slot": SlotRow;
  "unpin-slot": SlotRow;
  "list-tenants": Page<Tenant>;
  "create-tenant": Tenant;
  "get-tenant": Tenant;
  "change-tenant": Tenant;
  "delete-tenant": TenantReference;
  "list-keys": Page<ApiKey>;
  "create-key": CreatedKey;
  "change-key": ApiKey;
  "delete-key": KeyReference;
}

/** Request body of each call. */
export interface Bodies {
  "sign-in": SignInForm;
  "change-sessions": BulkForm;
  "move-session": MemberForm;
  "set-proxy": ProxyForm;
  "rotate-keyring": ActiveKeyForm;
  "pin-slot": MemberForm;
  "create-tenant": NewTenantForm;
  "change-tenant": TenantChangeForm;
  "create-key": NewKeyForm;
  "change-key": KeyChangeForm;
}

/** Path and query parameters of each call. */
export interface Parameters {
  "list-dead-letters": SessionPath & DeadLetterPageForm;
  "replay-dead-letters": SessionPath;
  "retry-webhook": SessionPath;
  "send-test-event": SessionPath;
  "undelete-session": SessionPath;
  "list-sessions": PageForm & SessionFilterForm;
  "get-session": SessionPath;
  "delete-session": SessionPath;
  "restart-session": SessionPath;
  "move-session": SessionPath;
  "set-proxy": SessionPath;
  "remove-proxy": SessionPath;
  "list-members": PageForm;
  "drain-member": MemberPath;
  "undrain-member": MemberPath;
  "list-audit": AuditQuery;
  "list-slots": PageForm;
  "get-slot": SlotPath;
  "pin-slot": SlotPath;
  "unpin-slot": SlotPath;
  "list-tenants": PageForm;
  "get-tenant": TenantPath;
  "change-tenant": TenantPath;
  "delete-tenant": TenantPath;
  "list-keys": KeyQuery;
  "change-key": KeyPath;
  "delete-key": KeyPath;
}

interface SessionPath {
  /** Id of the session, 24 hex digits. */
  id: string;
}

interface MemberPath {
  /** Name of a shard. */
  name: string;
}

interface TenantPath {
  /** Name of the tenant. */
  name: string;
}

interface KeyPath {
  /** Id of the key, 20 hex digits. */
  id: string;
}

interface SlotPath {
  /** Number of the slot, 0 to 4095. */
  slot: number & tags.JsonSchemaPlugin<{ type: "integer"; minimum: 0; maximum: 4095 }>;
}

/** The last event of a stream. */
interface EndOfStream {
  /** Reason for the end of the stream. The client can reconnect. */
  reason: EndReason;
}

/** Data of server-sent events by type. */
export interface EventData {
  LiveSessionEvent: Plain<LiveSessionEvent>;
  LiveCodeEvent: Plain<LiveCodeEvent>;
  LiveRestrictionEvent: Plain<LiveRestrictionEvent>;
  LiveDeliveriesEvent: Plain<LiveDeliveriesEvent>;
  LiveSlotsEvent: Plain<LiveSlotsEvent>;
  LiveLoadEvent: Plain<LiveLoadEvent>;
  LiveMemberEvent: Plain<LiveMemberEvent>;
  LiveRotationEvent: Plain<LiveRotationEvent>;
  LiveMissedEvent: Plain<LiveMissedEvent>;
  LiveEndEvent: Plain<EndOfStream>;
}

/** Data of a server-sent event. */
type Plain<T> = { [Name in keyof T as Exclude<Name, "type">]: T[Name] extends SessionId | TenantName ? string : T[Name] };

/** Texts of each operators' call. */
export type Texts = CallTexts<Replies, Bodies, Parameters>;
