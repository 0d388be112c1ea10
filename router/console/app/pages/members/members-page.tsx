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
import { numberText } from "../../ui/number-text.js";
import { ProgressBar } from "../../ui/progress-bar.js";
import { Table, type Column } from "../../ui/table.js";
import { useLoaded } from "../../ui/use-loaded.js";
import { View } from "../../ui/view.js";
import { ReadAgain } from "./read-again.js";
import { memberStates, memberTone } from "./member-tone.js";
import { useDrainStart } from "./use-drain-start.js";

/** Lists every process of the cluster with its state, and drains shards. */
export function MembersPage() {
  const members = useLoaded(
    async (signal) => (await call<Page<MemberRow>>("GET /admin/members", { query: { limit: 1_000 }, signal })).docs,
    [],
  );
  useLiveReload(members.reload, ({ type }) => type === "member" || type === "load");
  return (
    <div class="page">
      <div class="page-head">
        <h1>Cluster</h1>
        <ReadAgain of={members} />
      </div>
      <p class="soft">
        Routers serve the API, shards run the accounts, supervisors restart both. Accounts are grouped in slots; each slot runs on one shard
        and <a href={to("/slots")}>can be pinned</a>.
      </p>
      <View of={members}>{(rows) => <MembersTable rows={rows} reload={members.reload} />}</View>
    </div>
  );
}

const facts: readonly Column<MemberRow>[] = [
  {
    title: "Process",
    kind: "name",
    cell: ({ role, name }) => (
      <>
        {role === "shard" ? <a href={to("/sessions", {}, { member: name })}>{name}</a> : name}
        <span class="more">{role}</span>
      </>
    ),
  },
  { title: "State", cell: (row) => <Badge tone={memberTone(row)}>{memberStates[row.state]}</Badge> },
  { title: "Host", cell: ({ host }) => host },
  { title: "Slots", kind: "number", cell: ({ slots }) => (slots === null ? "–" : numberText(slots)) },
  { title: "Sessions", kind: "number", cell: ({ sessions }) => (sessions === null ? "–" : numberText(sessions)) },
  {
    title: "Event loop lag",
    kind: "number",
    cell: ({ loopLagMs }) => (loopLagMs === null ? "–" : `${numberText(Math.round(loopLagMs))} ms`),
  },
  { title: "Memory", kind: "number", cell: ({ memoryBytes }) => (memoryBytes === null ? "–" : bytesText(memoryBytes)) },
  { title: "Version", cell: ({ version }) => version ?? "–" },
];

function MembersTable({ rows, reload }: { rows: readonly MemberRow[]; reload: () => void }) {
  const startOf = useDrainStart(rows);
  const columns: readonly Column<MemberRow>[] = [
    ...facts,
    ...(may("administer")
      ? [
          {
            title: "Actions",
            kind: "buttons",
            cell: (row: MemberRow) => row.role === "shard" && <DrainSwitch member={row} onDone={reload} />,
          } as const,
        ]
      : []),
  ];
  return (
    <>
      {rows
        .filter(({ state }) => state === "draining")
        .map(({ name, slots }) => (
          <ProgressBar key={name} label={`Draining ${name}`} done={startOf(name) - (slots ?? 0)} total={startOf(name)} />
        ))}
      <Table label="Processes" rows={rows} keyOf={({ role, name, host }) => `${role}/${name}/${host}`} columns={columns} />
    </>
  );
}

function DrainSwitch({ member: { name, drained, sessions, slots }, onDone }: { member: MemberRow; onDone: () => void }) {
  if (drained)
    return (
      <Confirm
        label="Undrain"
        title={`Undrain ${name}?`}
        act={(signal) => call(`POST /admin/members/${encodeURIComponent(name)}/undrain`, { signal })}
        onDone={onDone}
      >
        <p>{name} starts taking slots again, a few at a time. Moved sessions reconnect without a new login.</p>
      </Confirm>
    );
  return (
    <Confirm
      label="Drain"
      title={`Drain ${name}?`}
      act={(signal) => call(`POST /admin/members/${encodeURIComponent(name)}/drain`, { signal })}
      onDone={onDone}
    >
      <p>
        Moves all {numberText(slots ?? 0)} slots ({countText(sessions ?? 0, ["session", "sessions"])}) to other shards. {name} stays empty,
        even after a restart, until you undrain it. Sessions reconnect without a new login.
      </p>
    </Confirm>
  );
}
