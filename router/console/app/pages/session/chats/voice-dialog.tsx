import { useState } from "preact/hooks";
import { sessionCall } from "../../../api/session-call.js";
import { randomKey } from "../../../api/random-key.js";
import { faultsByField } from "../../../api/failure.js";
import { settings } from "../../../api/settings.js";
import { Button } from "../../../ui/button.js";
import { Dialog } from "../../../ui/dialog.js";
import { DialogFoot } from "../../../ui/dialog-foot.js";
import { useAction } from "../../../ui/use-action.js";
import { useFaultFocus } from "../../../ui/use-fault-focus.js";
import { bodyOf, messageForms, type Values } from "../send/content-forms.js";
import { Fields } from "../send/fields.js";
import { recipientIn } from "./chat-rows.js";
import type { NewMessageDialogProps } from "./poll-dialog.js";

const fields = messageForms.audio.map((field) =>
  field.name === "audio.url"
    ? { ...field, hint: "A public, direct link to an Ogg file with Opus. The gateway downloads the file." }
    : field,
);
const names = [...fields.map(({ name }) => name), "audio"];
const empty: Values = { "audio.mimetype": "audio/ogg" };

/** POST /message/voice. The call takes a link, so the page does not record. */
export function VoiceDialog({ session, chat, onClose, onSent }: NewMessageDialogProps) {
  const [values, setValues] = useState(empty);
  const [key, setKey] = useState(randomKey);
  const action = useAction(async (signal) => {
    const body = { ...recipientIn(session, chat), ...bodyOf(fields, values) };
    await sessionCall(session, "POST /message/voice", { body, headers: { "idempotency-key": key }, signal });
    onSent();
  });
  const form = useFaultFocus(action.failure);
  const faults = faultsByField(action.failure?.status === 400 ? action.failure.message : "", names);
  const change = (changed: Values): void => {
    setValues({ ...values, ...changed });
    action.clear();
    setKey(randomKey());
  };
  const { sandbox } = settings();
  return (
    <Dialog title="New voice message" onClose={onClose}>
      <form
        ref={form}
        class="stack"
        onSubmit={(event) => {
          event.preventDefault();
          action.run();
        }}
      >
        <Fields fields={fields} values={values} onInput={(name, value) => change({ [name]: value })} faults={faults} />
        {sandbox !== null && (
          <div class="actions">
            <Button kind="quiet" onClick={() => change({ "audio.url": `${sandbox.files}voice.ogg`, "audio.duration": "2" })}>
              Use example
            </Button>
          </div>
        )}
        <DialogFoot label="Send voice message" failure={action.failure} fields={names} busy={action.busy} onClose={onClose} />
      </form>
    </Dialog>
  );
}
