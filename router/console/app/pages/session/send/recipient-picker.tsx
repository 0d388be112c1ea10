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
import { chatName, recipientField } from "../chats/chat-rows.js";
import type { AnyChatRow } from "../chats/chat-types.js";
import type { AnyGroup } from "../chats/group-view.js";
import { useSandboxAccounts } from "../use-sandbox-accounts.js";
import { recentOf } from "./recent.js";
import { matching, recipientOf, type Recipient } from "./recipient-choices.js";

export interface RecipientPickerProps {
  readonly session: SessionName;
  readonly onPick: (chosen: Recipient) => void;
}

/** The newest chats, as one page has them. */
const chatsMax = 100;

/** Chooses from the recent recipients, the account's newest chats and its groups, and on the sandbox its people. */
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
      {open && <PickerDialog title="Choose recipient" session={session} onPick={pick} onClose={() => setOpen(false)} />}
    </>
  );
}

export interface PickerDialogProps extends RecipientPickerProps {
  readonly title: string;
  readonly onClose: () => void;
}

/** A dialog over the choices of `RecipientPicker`. */
export function PickerDialog({ title, session, onPick, onClose }: PickerDialogProps) {
  const [q, setQ] = useState("");
  const groups = useLoaded(
    async (signal) => (await sessionCall<{ docs: readonly AnyGroup[] }>(session, "GET /group", { signal })).docs,
    [session.id],
  );
  const chats = useLoaded(
    async (signal) =>
      (await sessionCall<{ docs: readonly AnyChatRow[] }>(session, "GET /chat", { query: { limit: chatsMax }, signal })).docs,
    [session.id],
  );
  const people = useSandboxAccounts(session.platform);
  const found = matching(q, [
    ["Recent", recentOf(session.id)],
    ["Chats", chats.value?.flatMap((row) => (row.kind === "group" ? [] : [recipientOfChat(session, row)])) ?? []],
    ["Sandbox people", people.value?.map((account) => recipientOf(account)) ?? []],
    ["Groups", groups.value?.map(({ id, name, picture }) => ({ kind: "group", to: id, name, picture })) ?? []],
  ]);
  const isLoading = groups.loading || people.loading || (chats.loading && chats.value === undefined);
  return (
    <Dialog title={title} onClose={onClose}>
      <Field label="Search recipients" type="search" value={q} onInput={setQ} focus />
      {groups.failure !== undefined && <FailureNotice failure={groups.failure} doing="load groups" onRetry={groups.reload} />}
      {chats.failure !== undefined && <FailureNotice failure={chats.failure} doing="load chats" onRetry={chats.reload} />}
      <div class="picker">
        {found.map(({ title: heading, shown, count }) => (
          <section key={heading} aria-label={heading}>
            <h3>{heading}</h3>
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
        {!isLoading && found.length === 0 && <p class="soft">{q === "" ? "No recent recipients, chats or groups yet." : "No matches."}</p>}
      </div>
    </Dialog>
  );
}

function recipientOfChat({ platform }: SessionName, { chat }: AnyChatRow): Recipient {
  return { kind: recipientField(platform, chat.id), to: chat.id, name: chatName(chat) };
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
