import type { SessionRow } from "../../api/rows.js";
import { to } from "../../route/match-route.js";
import { self } from "../../sign-in/who.js";
import { Ago } from "../../ui/ago.js";
import { Avatar } from "../../ui/avatar.js";
import { PlatformBadge, RestrictedBadge, StateBadge } from "../../ui/badge.js";
import { nameOf, titleOf } from "./session-list.js";

/** One session in the list; the whole line leads to it. */
export function SessionLine({ row }: { row: SessionRow }) {
  const title = titleOf(row);
  const about = [row.phone === "" ? "" : `+${row.phone.replace(/^\+/, "")}`, row.label, self.value?.tenant === null ? row.tenant : ""];
  return (
    <a class="row session-row" href={to("/sessions/:id", { id: row.id })}>
      <Avatar name={nameOf(row)} />
      <span class="main">
        <span class="name" dir="auto">
          {title}
        </span>
        <span class="more">
          {about.filter((text) => text !== "" && text !== title).join(" · ")}
          {row.lastError !== "" && row.state !== "connected" && ` · ${row.lastError}`}
        </span>
      </span>
      <span class="main session-id">
        <span class="more mono">{row.id}</span>
      </span>
      <PlatformBadge platform={row.platform} />
      <span class="session-state">
        <StateBadge state={row.state} />
        <RestrictedBadge until={row.restrictedUntil} />
      </span>
      <span class="end">
        <span class="session-member">{row.member} · </span>
        <Ago since={row.since} />
      </span>
    </a>
  );
}
