import type { SessionId } from "../../shared/contract/ids.js";
import type { Platform } from "../../shared/contract/platform.js";
import { defaultTenant, type TenantName } from "../../shared/contract/tenant.js";
import type { SessionState } from "../../shared/session/state.js";
import type { Restriction } from "../../shared/session/stored-health.js";
import type { Session } from "../session/session.js";

/** A session that lives in this process. */
export interface HostedSession {
  readonly platform: Platform;
  readonly tenant: TenantName;
  readonly slot: number;
  readonly session: Session;
}

/** The sessions that live in this process, and those whose connections are being closed. */
export class HostedSessions {
  private readonly living = new Map<string, HostedSession>();
  /** Number of sessions here by tenant. */
  private readonly tenants = new Map<TenantName, number>();
  /** A session that returns here waits until its earlier life has closed its sockets. */
  private readonly closing = new Map<SessionId, Promise<void>>();

  /** Returns the tenant that owns the session, or the default tenant if the session does not live here. */
  readonly tenantOf = (id: string): TenantName => this.living.get(id)?.tenant ?? defaultTenant;

  /** Whether sessions of several tenants live here. */
  readonly isShared = (): boolean => this.tenants.size > 1;

  constructor(private readonly onClosed: (platform: Platform) => void) {}

  get size(): number {
    return this.living.size;
  }

  countIn(slots: ReadonlySet<number>): number {
    let count = 0;
    for (const { slot } of this.living.values()) if (slots.has(slot)) count += 1;
    return count;
  }

  /** State of each session. */
  get states(): { platform: Platform; state: SessionState["kind"] }[] {
    return [...this.living.values()].map(({ platform, session }) => ({ platform, state: session.state().kind }));
  }

  /** Each session whose account the platform restricts. */
  get restricted(): { platform: Platform; cause: Restriction["cause"] }[] {
    return [...this.living.values()].flatMap(({ platform, session }) => {
      const cause = session.context.health.restriction?.cause;
      return cause === undefined ? [] : [{ platform, cause }];
    });
  }

  has(id: SessionId): boolean {
    return this.living.has(id);
  }

  /** Returns the live session of this id and platform. */
  get(platform: Platform, id: SessionId): Session | undefined {
    const hosted = this.living.get(id);
    return hosted?.platform === platform ? hosted.session : undefined;
  }

  all(): Session[] {
    return [...this.living.values()].map(({ session }) => session);
  }

  onPlatform(wanted: Platform): Session[] {
    return [...this.living.values()].flatMap(({ platform, session }) => (platform === wanted ? [session] : []));
  }

  /** Reconnects these tenants' sessions without a proxy of their own, because the tenants' proxy has changed. */
  reroute(tenants: ReadonlySet<TenantName>): void {
    for (const { tenant, session } of this.living.values()) if (tenants.has(tenant) && !session.context.hasOwnProxy) void session.reroute();
  }

  add(hosted: HostedSession): void {
    this.living.set(hosted.session.id, hosted);
    this.tenants.set(hosted.tenant, (this.tenants.get(hosted.tenant) ?? 0) + 1);
  }

  /** Resolves when the session's earlier life here has closed its sockets; at once if there was none. */
  async formerClosed(id: SessionId): Promise<void> {
    await this.closing.get(id);
  }

  /** Closes the sessions of these slots. Resolves when none of them writes any more. */
  async closeSlots(slots: ReadonlySet<number>): Promise<void> {
    const leaving = [...this.living.values()].filter(({ slot }) => slots.has(slot));
    await Promise.all(leaving.map((hosted) => this.close(hosted)));
  }

  close(hosted: HostedSession): Promise<void> {
    const { session, platform, tenant } = hosted;
    const { id } = session;
    if (this.living.get(id) !== hosted) return this.closing.get(id) ?? Promise.resolve();
    this.living.delete(id);
    const left = (this.tenants.get(tenant) ?? 0) - 1;
    if (left > 0) this.tenants.set(tenant, left);
    else this.tenants.delete(tenant);
    this.onClosed(platform);
    const closed = session.close().finally(() => {
      if (this.closing.get(id) === closed) this.closing.delete(id);
    });
    this.closing.set(id, closed);
    return closed;
  }
}
