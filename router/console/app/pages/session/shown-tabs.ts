import type { Action, Platform, SessionRow } from "../../api/rows.js";
import { isLinked } from "./is-linked.js";

/** When a tab is shown. */
export interface TabFacts {
  readonly needs: Action;
  /** The only platform that has the tab; absent for both. */
  readonly platform?: Platform;
  /** The tab works only with an account, connected or not. */
  readonly linked?: true;
}

/** Returns the tabs of a session for somebody who may do these things. Pure. */
export function shownTabs<Row extends TabFacts>(
  tabs: readonly Row[],
  { platform, state }: Pick<SessionRow, "platform" | "state">,
  may: (action: Action) => boolean,
): readonly Row[] {
  return tabs.filter((tab) => may(tab.needs) && [undefined, platform].includes(tab.platform) && (tab.linked !== true || isLinked(state)));
}
