import { useState } from "preact/hooks";
import { call } from "../../../api/call.js";
import type { MemberRow } from "../../../api/operator-rows.js";
import type { Page } from "../../../api/rows.js";
import type { SessionName } from "../../../api/session-call.js";
import { may } from "../../../sign-in/who.js";
import { Button } from "../../../ui/button.js";
import { Dialog } from "../../../ui/dialog.js";
import { DialogFoot } from "../../../ui/dialog-foot.js";
import { Field, Select } from "../../../ui/field.js";
import { FailureNotice } from "../../../ui/notice.js";
import { useAction } from "../../../ui/use-action.js";
import { useLoaded } from "../../../ui/use-loaded.js";

/** POST /admin/sessions/{id}/move. */
export function MoveSession({ session, member, onDone }: { session: SessionName; member: string; onDone: () => void }) {
  const [open, setOpen] = useState(false);
  return (
    <>
      <Button opensDialog onClick={() => setOpen(true)}>
        Move
      </Button>
      {open && <MoveDialog session={session} member={member} onDone={onDone} onClose={() => setOpen(false)} />}
    </>
  );
}

function MoveDialog({
  session,
  member,
  onDone,
  onClose,
}: {
  session: SessionName;
  member: string;
  onDone: () => void;
  onClose: () => void;
}) {
  const [target, setTarget] = useState("");
  const action = useAction(async (signal) => {
    await call(`POST /admin/sessions/${session.id}/move`, { body: { member: target }, signal });
    onClose();
    onDone();
  });
  return (
    <Dialog title="Move session" onClose={onClose}>
      <form
        class="stack"
        onSubmit={(event) => {
          event.preventDefault();
          action.run();
        }}
      >
        <p>
          Moves this session (and any session in the same slot) to another shard and keeps it there until you unpin it.{" "}
          {member === "" ? "Currently unassigned." : `Currently on ${member}.`}
        </p>
        {may("read-members") ? (
          <MemberSelect but={member} value={target} onChange={setTarget} />
        ) : (
          <Field label="Shard" value={target} onInput={setTarget} />
        )}
        <DialogFoot label="Move session" failure={action.failure} busy={action.busy} disabled={target === ""} onClose={onClose} />
      </form>
    </Dialog>
  );
}

/** Selects from the shards that can take the slot. */
function MemberSelect({ but, value, onChange }: { but: string; value: string; onChange: (member: string) => void }) {
  const loaded = useLoaded(async (signal) => await call<Page<MemberRow>>("GET /admin/members", { query: { limit: 1_000 }, signal }), []);
  const takers = loaded.value?.docs.filter(({ role, state, name }) => role === "shard" && state === "active" && name !== but) ?? [];
  const options = [{ value: "", label: "Select a shard" }, ...takers.map(({ name }) => ({ value: name, label: name }))];
  return (
    <>
      <Select label="Shard" value={value} onChange={onChange} options={options} />
      {loaded.failure !== undefined && <FailureNotice failure={loaded.failure} doing="load shards" />}
    </>
  );
}
