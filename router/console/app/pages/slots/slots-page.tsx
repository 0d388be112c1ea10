import { useState } from "preact/hooks";
import { call } from "../../api/call.js";
import type { MemberRow, SlotRow } from "../../api/operator-rows.js";
import type { Page } from "../../api/rows.js";
import { useLiveReload } from "../../live/use-live-reload.js";
import { to } from "../../route/match-route.js";
import { go } from "../../route/place.js";
import { may } from "../../sign-in/who.js";
import { Badge } from "../../ui/badge.js";
import { Button } from "../../ui/button.js";
import { Confirm } from "../../ui/confirm.js";
import { countText } from "../../ui/count-text.js";
import { Field, Select } from "../../ui/field.js";
import type { Tone } from "../../ui/tone.js";
import { useLoaded } from "../../ui/use-loaded.js";
import { View } from "../../ui/view.js";
import type { PageProps } from "../page-props.js";

const tones: Readonly<Record<SlotRow["state"], Tone>> = { held: "good", draining: "warn", free: "warn", lost: "bad" };

/** One slot of accounts: who has it, who should, and the pin. */
export function SlotsPage({ params: { slot = "" } }: PageProps) {
  const [number, setNumber] = useState(slot);
  return (
    <div class="page">
      <h1>Slots</h1>
      <p class="soft">
        Every session lies in one of 4096 slots, by its id, and a slot moves as a whole. The page of a session names its slot. A pin holds a
        slot at one shard, whatever else is decided.
      </p>
      <form
        class="toolbar"
        onSubmit={(event) => {
          event.preventDefault();
          if (number !== "") go(to("/slots/:slot", { slot: number }));
        }}
      >
        <Field label="Slot" type="number" value={number} onInput={setNumber} placeholder="0 to 4095" />
        <Button type="submit" icon="search">
          Show
        </Button>
      </form>
      {slot !== "" && <Slot key={slot} slot={slot} />}
    </div>
  );
}

function Slot({ slot }: { slot: string }) {
  const row = useLoaded((signal) => call<SlotRow>(`GET /admin/slots/${encodeURIComponent(slot)}`, { signal }), [slot]);
  useLiveReload(row.reload, ({ type }) => type === "slots" || type === "member");
  return (
    <View of={row}>
      {(found) => (
        <section class="card" aria-labelledby="slot-title">
          <div class="page-head">
            <h2 id="slot-title">Slot {found.slot}</h2>
            <Badge tone={tones[found.state]}>{found.state}</Badge>
          </div>
          <dl class="facts">
            <dt>Held by</dt>
            <dd>{found.member === "" ? "nobody" : found.member}</dd>
            <dt>Sessions</dt>
            <dd>{found.sessions ?? "–"}</dd>
            <dt>Pinned to</dt>
            <dd>{found.pin === "" ? "no shard" : found.pin}</dd>
          </dl>
          {may("administer") && <Pin row={found} onDone={row.reload} />}
        </section>
      )}
    </View>
  );
}

function Pin({ row: { slot, pin, member, sessions }, onDone }: { row: SlotRow; onDone: () => void }) {
  const members = useLoaded(
    async (signal) => (await call<Page<MemberRow>>("GET /admin/members", { query: { limit: 1_000 }, signal })).docs,
    [],
  );
  const [chosen, setChosen] = useState("");
  return (
    <div class="toolbar">
      <View of={members}>
        {(rows) => (
          <Select
            label="Pin to"
            value={chosen}
            onChange={setChosen}
            options={[
              { value: "", label: "Choose a shard" },
              ...rows.filter(({ role, state }) => role === "shard" && state === "active").map(({ name }) => ({ value: name, label: name })),
            ]}
          />
        )}
      </View>
      <Confirm
        label="Pin"
        title={`Pin slot ${slot} to ${chosen}`}
        disabled={chosen === "" || chosen === pin}
        act={(signal) => call(`PUT /admin/slots/${slot}/pin`, { body: { member: chosen }, signal })}
        onDone={onDone}
      >
        <p>
          {chosen === member
            ? `Slot ${slot} stays at ${chosen} until its pin is taken away.`
            : `Slot ${slot} moves to ${chosen} and stays there, with ${countText(sessions ?? 0, ["session", "sessions"])}: a session connects anew, with the same login.`}
        </p>
      </Confirm>
      {pin !== "" && (
        <Confirm
          label="Take the pin away"
          title={`Take away the pin of slot ${slot}`}
          act={(signal) => call(`DELETE /admin/slots/${slot}/pin`, { signal })}
          onDone={onDone}
        >
          <p>Where slot {slot} lies is decided again as for every other; it may move.</p>
        </Confirm>
      )}
    </div>
  );
}
