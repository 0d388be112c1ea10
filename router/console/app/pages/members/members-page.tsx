import { call } from "../../api/call.js";
import type { MemberRow } from "../../api/operator-rows.js";
import type { Page } from "../../api/rows.js";
import { useLiveReload } from "../../live/use-live-reload.js";
import { to } from "../../route/match-route.js";
import { may } from "../../sign-in/who.js";
import { bytesText } from "../../ui/bytes-text.js";
import { Badge } from "../../ui/badge.js";
import { Confirm } from "../../ui/confirm.js";
import { countText } from "../../ui/count-text.js";
import { ProgressBar } from "../../ui/progress-bar.js";
import { useLoaded } from "../../ui/use-loaded.js";
import { View } from "../../ui/view.js";
import { ReadAgain } from "./read-again.js";
import { memberTone } from "./member-tone.js";
import { useDrainStart } from "./use-drain-start.js";

/** Every process of the cluster, how it is, and the word to a shard that it shall give its slots away. */
export function MembersPage() {
  const members = useLoaded(
    async (signal) => (await call<Page<MemberRow>>("GET /admin/members", { query: { limit: 1_000 }, signal })).docs,
    [],
  );
  useLiveReload(members.reload, ({ type }) => type === "member" || type === "load");
  return (
    <div class="page">
      <div class="page-head">
        <h1>Members</h1>
        <ReadAgain of={members} />
      </div>
      <p class="soft">
        Routers speak HTTP, shards hold the accounts, supervisors start both again. Each slot of accounts belongs to one shard; a{" "}
        <a href={to("/slots")}>slot can be pinned</a> to one.
      </p>
      <View of={members}>{(rows) => <MembersTable rows={rows} reload={members.reload} />}</View>
    </div>
  );
}

function MembersTable({ rows, reload }: { rows: readonly MemberRow[]; reload: () => void }) {
  const startOf = useDrainStart(rows);
  const operates = may("administer");
  return (
    <>
      {rows
        .filter(({ state }) => state === "draining")
        .map(({ name, slots }) => (
          <ProgressBar key={name} label={`Slots that have left ${name}`} done={startOf(name) - (slots ?? 0)} total={startOf(name)} />
        ))}
      <div class="table-box" tabIndex={0} role="region" aria-label="Members">
        <table>
          <thead>
            <tr>
              <th scope="col">Member</th>
              <th scope="col">State</th>
              <th scope="col">Host</th>
              <th scope="col" class="number">
                Slots
              </th>
              <th scope="col" class="number">
                Sessions
              </th>
              <th scope="col" class="number">
                Event loop lag
              </th>
              <th scope="col" class="number">
                Memory
              </th>
              <th scope="col">Version</th>
              {operates && (
                <th scope="col">
                  <span class="unseen">What can be done</span>
                </th>
              )}
            </tr>
          </thead>
          <tbody>
            {rows.map((row) => (
              <tr key={`${row.role}/${row.name}/${row.host}`}>
                <th scope="row">
                  {row.role === "shard" ? <a href={to("/sessions", {}, { member: row.name })}>{row.name}</a> : row.name}
                  <span class="more">{row.role}</span>
                </th>
                <td>
                  <Badge tone={memberTone(row)}>{row.state}</Badge>
                </td>
                <td>{row.host}</td>
                <td class="number">{row.slots ?? "–"}</td>
                <td class="number">{row.sessions?.toLocaleString() ?? "–"}</td>
                <td class="number">{row.loopLagMs === null ? "–" : `${Math.round(row.loopLagMs)} ms`}</td>
                <td class="number">{row.memoryBytes === null ? "–" : bytesText(row.memoryBytes)}</td>
                <td>{row.version ?? "–"}</td>
                {operates && <td class="end">{row.role === "shard" && <DrainSwitch member={row} onDone={reload} />}</td>}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </>
  );
}

function DrainSwitch({ member: { name, drained, sessions, slots }, onDone }: { member: MemberRow; onDone: () => void }) {
  if (drained)
    return (
      <Confirm
        label="Undrain"
        title={`Undrain ${name}`}
        act={(signal) => call(`POST /admin/members/${encodeURIComponent(name)}/undrain`, { signal })}
        onDone={onDone}
      >
        <p>{name} gets its share of the slots again, a few at a time. Each session that moves connects anew, with the same login.</p>
      </Confirm>
    );
  return (
    <Confirm
      label="Drain"
      title={`Drain ${name}`}
      act={(signal) => call(`POST /admin/members/${encodeURIComponent(name)}/drain`, { signal })}
      onDone={onDone}
    >
      <p>
        {name} gives its {slots ?? 0} slots with {countText(sessions ?? 0, ["session", "sessions"])} to the other shards, a few at a time,
        and gets none until it is undrained, also after its restart. Each session connects anew elsewhere, with the same login.
      </p>
    </Confirm>
  );
}
