import { useState } from "preact/hooks";
import { call } from "../../api/call.js";
import type { Keyring, Rotation } from "../../api/operator-rows.js";
import { useLiveReload } from "../../live/use-live-reload.js";
import { instantText } from "../../ui/instant-text.js";
import { Badge } from "../../ui/badge.js";
import { Confirm } from "../../ui/confirm.js";
import { Select } from "../../ui/field.js";
import { Notice } from "../../ui/notice.js";
import { countText } from "../../ui/count-text.js";
import { numberText } from "../../ui/number-text.js";
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
      <h1>Encryption keys</h1>
      <p class="soft">Logins and secrets are encrypted with one of your CRED_KEYS. Only key names are shown.</p>
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
      label="Encryption keys"
      rows={keys}
      keyOf={({ id }) => id}
      columns={[
        { title: "Key", kind: "name", cell: ({ id }) => <code>{id}</code> },
        { title: "State", cell: (key) => <KeyState {...key} /> },
        { title: "Encrypted records", kind: "number", cell: ({ records }) => (records === null ? "Not counted yet" : numberText(records)) },
        { title: "Required until", cell: ({ neededUntil }) => instantText(neededUntil) },
        {
          title: "Missing on",
          cell: ({ missing }) => (missing.length === 0 ? "None" : <Badge tone="bad">{missing.join(", ")}</Badge>),
        },
      ]}
    />
  );
}

function KeyState({ sealing, removable }: { sealing: boolean; removable: boolean }) {
  if (sealing) return <Badge tone="good">Active</Badge>;
  return removable ? <Badge tone="info">Safe to remove</Badge> : <Badge tone="idle">Decrypts only</Badge>;
}

function RotationCard({ rotation, sealing }: { rotation: Rotation; sealing: string }) {
  const { state, total, done, failed, started, ended, member } = rotation;
  return (
    <section class="card" aria-labelledby="rotation-title">
      <h2 id="rotation-title">Rotation to {sealing}</h2>
      {state === "counting" && <p>{member === "" ? "A shard" : member} is counting the records of each key.</p>}
      {state === "resealing" && <ProgressBar label="Re-encrypting" done={done} total={total} />}
      {state === "ended" && (
        <p>
          Started {instantText(started)}, finished {instantText(ended)}. Re-encrypted {numberText(done)} of{" "}
          {countText(total, ["record", "records"])}.
        </p>
      )}
      {failed > 0 && (
        <Notice kind="warn" title={`${countText(failed, ["record", "records"])} can't be decrypted`}>
          They are left unchanged and their key is still required. See the shard's log for the sessions.
        </Notice>
      )}
    </section>
  );
}

function Rotate({ keyring: { keys, sealing }, onDone }: { keyring: Keyring; onDone: () => void }) {
  const [key, setKey] = useState("");
  if (keys.length < 2)
    return (
      <Notice kind="info" title="Only one key configured">
        To rotate, add a second key to CRED_KEYS and restart the processes one by one. Then select it here.
      </Notice>
    );
  return (
    <div class="toolbar">
      <Select
        label="Encrypt with"
        value={key}
        onChange={setKey}
        options={[
          { value: "", label: "Select a key" },
          ...keys.map(({ id }) => ({ value: id, label: id === sealing ? `${id} (active)` : id })),
        ]}
      />
      <Confirm
        label="Rotate"
        title={`Switch to key ${key}?`}
        disabled={key === ""}
        act={(signal) => call("POST /admin/keyring/rotate", { body: { key }, signal })}
        onDone={onDone}
      >
        <p>
          Everything new is encrypted with key {key}. One shard re-encrypts existing records, about 1,000 per second. Sessions stay
          connected. Keep the old key for another 25 hours.
        </p>
      </Confirm>
    </div>
  );
}

function Holders({ keyring: { members } }: { keyring: Keyring }) {
  return (
    <section class="card" aria-labelledby="holders-title">
      <h2 id="holders-title">Keys by process</h2>
      <dl class="facts">
        {members.map(({ name, role, host, keys }) => (
          <div key={`${role}/${name}/${host}`} class="fact">
            <dt>{name}</dt>
            <dd>{keys === null ? "not reported" : <code>{keys.join(" ")}</code>}</dd>
          </div>
        ))}
      </dl>
    </section>
  );
}

function Erasure({ erasure: { heldSince, rewritten, problem } }: { erasure: Keyring["erasure"] }) {
  return (
    <section class="card" aria-labelledby="erasure-title">
      <h2 id="erasure-title">Deleted data</h2>
      <p>
        {heldSince === ""
          ? "No deleted sessions remain on disk."
          : `Keys of sessions deleted since ${instantText(heldSince)} stay on disk until Redis rewrites its append-only file.`}
      </p>
      {rewritten !== "" && <p class="soft">Everything deleted before {instantText(rewritten)} has been erased.</p>}
      {problem !== "" && (
        <Notice kind="bad" title={`Last rewrite ${problem}`}>
          {problem === "refused"
            ? "The user in REDIS_REWRITE_URL isn't allowed to run BGREWRITEAOF."
            : "See the Redis log for the reason. Memory and disk space are the usual ones."}
        </Notice>
      )}
    </section>
  );
}
