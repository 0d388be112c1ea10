import { useState } from "preact/hooks";
import { call } from "../../api/call.js";
import type { MemberRow, SlotRow, SlotState } from "../../api/operator-rows.js";
import type { Page } from "../../api/rows.js";
import { useLiveReload } from "../../live/use-live-reload.js";
import { may } from "../../sign-in/who.js";
import { Badge } from "../../ui/badge.js";
import { Confirm } from "../../ui/confirm.js";
import { countText } from "../../ui/count-text.js";
import { numberText } from "../../ui/number-text.js";
import { Select } from "../../ui/field.js";
import type { Tone } from "../../ui/tone.js";
import { useLoaded } from "../../ui/use-loaded.js";
import { View } from "../../ui/view.js";
import { slotStates } from "./slot-map.js";

const tones: Readonly<Record<SlotState, Tone>> = { held: "good", draining: "warn", free: "warn", lost: "bad" };

/** Shows one slot: its owner and its pin. `onPin` is called when the pin has changed. */
export function SlotCard({ slot, onPin }: { slot: string; onPin: () => void }) {
  const row = useLoaded((signal) => call<SlotRow>(`GET /admin/slots/${encodeURIComponent(slot)}`, { signal }), [slot]);
  useLiveReload(row.reload, ({ type }) => type === "slots" || type === "member");
  const pinChanged = (): void => {
    row.reload();
    onPin();
  };
  return (
    <View of={row}>
      {(found) => (
        <section class="card" aria-labelledby="slot-title">
          <div class="page-head">
            <h2 id="slot-title">Slot {found.slot}</h2>
            <Badge tone={tones[found.state]}>{slotStates[found.state]}</Badge>
          </div>
          <dl class="facts">
            <dt>Shard</dt>
            <dd>{found.member === "" ? "Unassigned" : found.member}</dd>
            <dt>Sessions</dt>
            <dd>{found.sessions === null ? "–" : numberText(found.sessions)}</dd>
            <dt>Pinned to</dt>
            <dd>{found.pin === "" ? "Not pinned" : found.pin}</dd>
          </dl>
          {may("administer") && <Pin row={found} onDone={pinChanged} />}
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
            label="Pin to shard"
            value={chosen}
            onChange={setChosen}
            options={[
              { value: "", label: "Select a shard" },
              ...rows.filter(({ role, state }) => role === "shard" && state === "active").map(({ name }) => ({ value: name, label: name })),
            ]}
          />
        )}
      </View>
      <Confirm
        label="Pin"
        title={`Pin slot ${slot} to ${chosen}?`}
        disabled={chosen === "" || chosen === pin}
        act={(signal) => call(`PUT /admin/slots/${slot}/pin`, { body: { member: chosen }, signal })}
        onDone={onDone}
      >
        <p>
          {chosen === member
            ? `Slot ${slot} stays on ${chosen} until you unpin it.`
            : `Slot ${slot} (${countText(sessions ?? 0, ["session", "sessions"])}) moves to ${chosen} and stays there until you unpin it. Sessions reconnect without a new login.`}
        </p>
      </Confirm>
      {pin !== "" && (
        <Confirm
          label="Unpin"
          title={`Unpin slot ${slot}?`}
          act={(signal) => call(`DELETE /admin/slots/${slot}/pin`, { signal })}
          onDone={onDone}
        >
          <p>Slot {slot} is placed automatically again and may move to another shard.</p>
        </Confirm>
      )}
    </div>
  );
}
