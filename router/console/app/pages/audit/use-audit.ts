import { useEffect } from "preact/hooks";
import type { AuditRow } from "../../../../../shared/cluster/audit/audit-row.js";
import { usePages, type Pages } from "../../api/use-pages.js";

export interface AuditQuery {
  readonly since: string;
  readonly tenant: string;
  readonly session: string;
  /** `0`: calls that only read are hidden. */
  readonly reads: string;
  /** Empty for all. */
  readonly action: string;
}

export interface AuditRows {
  readonly pages: Pages<AuditRow>;
  /** Rows of the chosen action. */
  readonly found: readonly AuditRow[];
}

/** Fills a screen. */
const enough = 20;
/** The page searches this many rows for an action by itself. */
const searchedMax = 2_000;

/** Audit entries, newest first. The API has no filter by action, so pages are read until some rows match. */
export function useAudit({ action, reads, ...query }: AuditQuery): AuditRows {
  const pages = usePages<AuditRow>("GET /admin/audit", { ...query, reads: action === "" ? reads : "0", order: "newest", limit: 200 });
  const found = action === "" ? pages.rows : pages.rows.filter(({ what }) => what === action);
  const { rows, loading, failure, hasMore, more } = pages;
  const searchesOn = action !== "" && hasMore && !loading && failure === undefined && found.length < enough && rows.length < searchedMax;
  useEffect(() => {
    if (searchesOn) more();
  }, [searchesOn, rows.length]);
  return { pages, found };
}
