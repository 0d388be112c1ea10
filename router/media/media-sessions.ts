import type { SlotOwners } from "../bus/slot-owners.js";
import type { MemberWatch } from "../../shared/cluster/member-watch.js";
import type { SessionId } from "../../shared/contract/ids.js";
import type { Platform } from "../../shared/contract/platform.js";
import type { TenantName } from "../../shared/contract/tenant.js";
import type { SessionState } from "../../shared/session/state.js";
import { isActive, type SessionReader } from "../sessions/session-reader.js";
import type { SessionRecords } from "../sessions/session-records.js";

/** A session as media requests need it. */
export interface MediaSession {
  /** As in `StoredSession`: a living owner has stamped the state with its token. */
  readonly active: boolean;
  readonly kind: SessionState["kind"];
  readonly lastAccount: string;
  readonly tenant: TenantName;
}

export interface MediaSessionsOptions {
  readonly platform: Platform;
  readonly records: Pick<SessionRecords, "recent">;
  readonly reader: Pick<SessionReader, "read">;
  readonly owners: Pick<SlotOwners, "atHand">;
  readonly members: Pick<MemberWatch, "lives">;
}

/** Sessions for media requests. A recent record is enough, but each call checks that the owner lives. */
export class MediaSessions {
  constructor(private readonly options: MediaSessionsOptions) {}

  /** Returns the session without I/O, or `undefined` if Redis must be read. */
  atHand(id: SessionId): MediaSession | undefined {
    const { platform, records, owners, members } = this.options;
    const record = records.recent(id);
    if (record?.platform !== platform) return undefined;
    const owner = owners.atHand(record.slot);
    if (owner === undefined) return undefined;
    const { state, lastAccount, tenant } = record;
    return { active: isActive(record.stamp, owner, members), kind: state.kind, lastAccount, tenant };
  }

  /** Reads the session from Redis. Rejects as `SessionReader` does. */
  async read(id: SessionId): Promise<MediaSession | undefined> {
    const { platform, reader } = this.options;
    const session = await reader.read(platform, id);
    return session && { active: session.active, kind: session.state.kind, lastAccount: session.lastAccount, tenant: session.tenant };
  }
}
