import { useState } from "preact/hooks";
import { call } from "../../api/call.js";
import type { Keyring, Rotation } from "../../api/operator-rows.js";
import { useLiveReload } from "../../live/use-live-reload.js";
import { instantText } from "../../ui/instant-text.js";
import { Badge } from "../../ui/badge.js";
import { Confirm } from "../../ui/confirm.js";
import { Select } from "../../ui/field.js";
import { Notice } from "../../ui/notice.js";
import { ProgressBar } from "../../ui/progress-bar.js";
import { Table } from "../../ui/table.js";
import { useLoaded } from "../../ui/use-loaded.js";
import { View } from "../../ui/view.js";

/** The keys that seal what is stored: their names, who has which, the rotation, and what Redis' file still holds of deleted sessions. */
export function KeyringPage() {
  const keyring = useLoaded((signal) => call<Keyring>("GET /admin/keyring", { signal }), []);
  useLiveReload(keyring.reload, ({ type }) => type === "rotation");
  return (
    <div class="page">
      <h1>Keyring</h1>
      <p class="soft">
        Logins and all else that is secret are stored sealed with one of the keys of CRED_KEYS. Only their names are shown here.
      </p>
      <View of={keyring}>
        {(value) => (
          <>
            {value.rotation !== null && <RotationCard rotation={value.rotation} sealing={value.sealing} />}
            <KeysTable keyring={value} />
            <Rotate keyring={value} onDone={keyring.reload} />
            <div class="columns">
              <Holders keyring={value} />
              <Erasure erasure={value.erasure} />
            </div>
          </>
        )}
      </View>
    </div>
  );
}

function KeysTable({ keyring: { keys } }: { keyring: Keyring }) {
  return (
    <Table
      label="Keys"
      rows={keys}
      keyOf={({ id }) => id}
      columns={[
        { title: "Key", kind: "name", cell: ({ id }) => <code>{id}</code> },
        { title: "State", cell: (key) => <KeyState {...key} /> },
        { title: "Stored texts", kind: "number", cell: ({ records }) => records?.toLocaleString() ?? "not counted" },
        { title: "Needed until", cell: ({ neededUntil }) => instantText(neededUntil) },
        {
          title: "Missing in",
          cell: ({ missing }) => (missing.length === 0 ? "no process" : <Badge tone="bad">{missing.join(", ")}</Badge>),
        },
      ]}
    />
  );
}

function KeyState({ sealing, removable }: { sealing: boolean; removable: boolean }) {
  if (sealing) return <Badge tone="good">seals</Badge>;
  return removable ? <Badge tone="info">may be taken out</Badge> : <Badge tone="idle">opens</Badge>;
}

function RotationCard({ rotation, sealing }: { rotation: Rotation; sealing: string }) {
  const { state, total, done, failed, started, ended, member } = rotation;
  return (
    <section class="card" aria-labelledby="rotation-title">
      <h2 id="rotation-title">Rotation to {sealing}</h2>
      {state === "counting" && <p>{member === "" ? "A shard" : member} counts what is sealed with which key.</p>}
      {state === "resealing" && <ProgressBar label="Texts sealed anew" done={done} total={total} />}
      {state === "ended" && (
        <p>
          Begun {instantText(started)}, ended {instantText(ended)}: {done.toLocaleString()} of {total.toLocaleString()} texts were sealed
          anew.
        </p>
      )}
      {failed > 0 && (
        <Notice kind="warn" title={`${failed.toLocaleString()} texts do not open`}>
          They stay as they are, and their key stays needed. The log of the shard names the sessions.
        </Notice>
      )}
    </section>
  );
}

function Rotate({ keyring: { keys, sealing }, onDone }: { keyring: Keyring; onDone: () => void }) {
  const [key, setKey] = useState("");
  if (keys.length < 2)
    return (
      <Notice kind="info" title="There is one key">
        To rotate, add another one to CRED_KEYS and start the processes again, one by one. Then it can be chosen here.
      </Notice>
    );
  return (
    <div class="toolbar">
      <Select
        label="Seal with"
        value={key}
        onChange={setKey}
        options={[
          { value: "", label: "Choose a key" },
          ...keys.map(({ id }) => ({ value: id, label: id === sealing ? `${id} (seals now)` : id })),
        ]}
      />
      <Confirm
        label="Rotate"
        title={`Seal with key ${key}`}
        disabled={key === ""}
        act={(signal) => call("POST /admin/keyring/rotate", { body: { key }, signal })}
        onDone={onDone}
      >
        <p>
          Key {key} seals from now on, everywhere, and one shard seals anew what the others sealed, about 1,000 texts a second. No session
          notices. The old key is needed for another 25 hours.
        </p>
      </Confirm>
    </div>
  );
}

function Holders({ keyring: { members } }: { keyring: Keyring }) {
  return (
    <section class="card" aria-labelledby="holders-title">
      <h2 id="holders-title">Who has which</h2>
      <dl class="facts">
        {members.map(({ name, role, host, keys }) => (
          <div key={`${role}/${name}/${host}`} class="fact">
            <dt>{name}</dt>
            <dd>{keys === null ? "has not told" : <code>{keys.join(" ")}</code>}</dd>
          </div>
        ))}
      </dl>
    </section>
  );
}

function Erasure({ erasure: { heldSince, rewritten, problem } }: { erasure: Keyring["erasure"] }) {
  return (
    <section class="card" aria-labelledby="erasure-title">
      <h2 id="erasure-title">Erasure of deleted sessions</h2>
      <p>
        {heldSince === ""
          ? "Redis' file holds nothing of a deleted session."
          : `Redis' file holds keys of sessions that were deleted since ${instantText(heldSince)}, until it is rewritten.`}
      </p>
      {rewritten !== "" && <p class="soft">What was deleted up to {instantText(rewritten)} is gone from it.</p>}
      {problem !== "" && (
        <Notice kind="bad" title={`The last rewrite was ${problem}`}>
          {problem === "refused"
            ? "The user of REDIS_REWRITE_URL may not BGREWRITEAOF."
            : "Redis' own log says why; memory and disk are the usual reasons."}
        </Notice>
      )}
    </section>
  );
}
