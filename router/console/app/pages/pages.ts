import type { ComponentType } from "preact";
import type { Action } from "../api/rows.js";
import type { PageProps } from "./page-props.js";

export interface PageRow {
  /** Path after the `#`. */
  readonly path: string;
  /** Title of the browser tab, also announced to screen readers. */
  readonly title: string;
  /** The page is hidden from roles without this action. */
  readonly needs: Action;
  /** In the navigation, below the name of its group; the group without a name has no heading. */
  readonly menu?: { readonly group: "" | "Accounts" | "Operations" | "Security"; readonly icon: string };
  /** Loads the page when it is first opened. */
  readonly load: () => Promise<ComponentType<PageProps>>;
}

/** Both addresses have the same page, so that the map stays when a slot is opened. */
const loadSlots: PageRow["load"] = async () => (await import("./slots/slots-page.js")).SlotsPage;

/** All pages. The first page that the role may see is the start page. */
export const pages: readonly PageRow[] = [
  {
    path: "/overview",
    title: "Overview",
    needs: "read-members",
    menu: { group: "", icon: "overview" },
    load: async () => (await import("./overview/overview-page.js")).OverviewPage,
  },
  {
    path: "/sessions",
    title: "Sessions",
    needs: "read-session",
    menu: { group: "Accounts", icon: "sessions" },
    load: async () => (await import("./sessions/sessions-page.js")).SessionsPage,
  },
  {
    path: "/sessions/new",
    title: "New session",
    needs: "create-session",
    load: async () => (await import("./new-session/new-session-page.js")).NewSessionPage,
  },
  {
    path: "/sessions/bulk",
    title: "Bulk actions",
    needs: "operate-session",
    load: async () => (await import("./bulk/bulk-page.js")).BulkPage,
  },
  {
    path: "/sessions/:id",
    title: "Session",
    needs: "read-session",
    load: async () => (await import("./session/session-page.js")).SessionPage,
  },
  {
    path: "/sessions/:id/:tab",
    title: "Session",
    needs: "read-session",
    load: async () => (await import("./session/session-page.js")).SessionPage,
  },
  {
    path: "/sessions/:id/:tab/:chat",
    title: "Session",
    needs: "use-session",
    load: async () => (await import("./session/session-page.js")).SessionPage,
  },
  {
    path: "/members",
    title: "Cluster",
    needs: "read-members",
    menu: { group: "Operations", icon: "members" },
    load: async () => (await import("./members/members-page.js")).MembersPage,
  },
  {
    path: "/slots",
    title: "Slots",
    needs: "read-members",
    menu: { group: "Operations", icon: "slots" },
    load: loadSlots,
  },
  {
    path: "/slots/:slot",
    title: "Slot",
    needs: "read-members",
    load: loadSlots,
  },
  {
    path: "/webhooks",
    title: "Webhooks",
    needs: "read-session",
    menu: { group: "Operations", icon: "webhooks" },
    load: async () => (await import("./webhooks/webhooks-page.js")).WebhooksPage,
  },
  {
    path: "/tenants",
    title: "Tenants",
    needs: "administer",
    menu: { group: "Security", icon: "tenants" },
    load: async () => (await import("./tenants/tenants-page.js")).TenantsPage,
  },
  {
    path: "/tenants/:name",
    title: "Tenant",
    needs: "administer",
    load: async () => (await import("./tenants/tenant-page.js")).TenantPage,
  },
  {
    path: "/keys",
    title: "API keys",
    needs: "administer",
    menu: { group: "Security", icon: "keys" },
    load: async () => (await import("./keys/keys-page.js")).KeysPage,
  },
  {
    path: "/keyring",
    title: "Encryption keys",
    needs: "administer",
    menu: { group: "Security", icon: "keyring" },
    load: async () => (await import("./keyring/keyring-page.js")).KeyringPage,
  },
  {
    path: "/audit",
    title: "Audit log",
    needs: "read-session",
    menu: { group: "Security", icon: "audit" },
    load: async () => (await import("./audit/audit-page.js")).AuditPage,
  },
];
