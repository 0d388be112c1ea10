import { useState } from "preact/hooks";
import { sessionCall, type SessionName } from "../../../api/session-call.js";
import { Avatar } from "../../../ui/avatar.js";
import { Button } from "../../../ui/button.js";
import { Dialog } from "../../../ui/dialog.js";
import { Field } from "../../../ui/field.js";
import { FailureNotice } from "../../../ui/notice.js";
import { numberText } from "../../../ui/number-text.js";
import { useLoaded } from "../../../ui/use-loaded.js";
import { Loading } from "../../../ui/view.js";
import type { AnyGroup } from "../chats/group-view.js";
import { useSandboxAccounts } from "../use-sandbox-accounts.js";
import { recentOf } from "./recent.js";
import { matching, recipientOf, type Recipient } from "./recipient-choices.js";

export interface RecipientPickerProps {
  readonly session: SessionName;
  readonly onPick: (chosen: Recipient) => void;
}

/** Chooses from the recent recipients, the account's groups, and on the sandbox its people. */
export function RecipientPicker({ session, onPick }: RecipientPickerProps) {
  const [open, setOpen] = useState(false);
  const pick = (chosen: Recipient): void => {
    setOpen(false);
    onPick(chosen);
  };
  return (
    <>
      <Button icon="person" opensDialog onClick={() => setOpen(true)}>
        Choose
      </Button>
      {open && <PickerDialog session={session} onPick={pick} onClose={() => setOpen(false)} />}
    </>
  );
}

function PickerDialog({ session, onPick, onClose }: RecipientPickerProps & { onClose: () => void }) {
  const [q, setQ] = useState("");
  const groups = useLoaded(
    async (signal) => (await sessionCall<{ docs: readonly AnyGroup[] }>(session, "GET /group", { signal })).docs,
    [session.id],
  );
  const people = useSandboxAccounts(session.platform);
  const found = matching(q, [
    ["Recent", recentOf(session.id)],
    ["Sandbox people", people.value?.map((account) => recipientOf(account)) ?? []],
    ["Groups", groups.value?.map(({ id, name, picture }) => ({ kind: "group", to: id, name, picture })) ?? []],
  ]);
  const isLoading = groups.loading || people.loading;
  return (
    <Dialog title="Choose recipient" onClose={onClose}>
      <Field label="Search recipients" type="search" value={q} onInput={setQ} focus />
      {groups.failure !== undefined && <FailureNotice failure={groups.failure} doing="load groups" onRetry={groups.reload} />}
      <div class="picker">
        {found.map(({ title, shown, count }) => (
          <section key={title} aria-label={title}>
            <h3>{title}</h3>
            <ul>
              {shown.map((row) => (
                <li key={`${row.kind} ${row.to}`}>
                  <RecipientRow row={row} onPick={onPick} />
                </li>
              ))}
            </ul>
            {count > shown.length && (
              <p class="hint">
                {numberText(shown.length)} of {numberText(count)}. Search to find others.
              </p>
            )}
          </section>
        ))}
        {isLoading && <Loading />}
        {!isLoading && found.length === 0 && <p class="soft">{q === "" ? "No recent recipients or groups yet." : "No matches."}</p>}
      </div>
    </Dialog>
  );
}

function RecipientRow({ row, onPick }: { row: Recipient; onPick: (chosen: Recipient) => void }) {
  const { name, to, picture } = row;
  return (
    <button type="button" class="row chat-row" onClick={() => onPick(row)}>
      <Avatar name={name} {...(picture === undefined ? {} : { picture })} />
      <span class="main">
        <span class="name" dir="auto">
          {name === "" ? to : name}
        </span>
        {name !== "" && <span class="more">{to}</span>}
      </span>
    </button>
  );
}
