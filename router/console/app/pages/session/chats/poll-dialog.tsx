import { useState } from "preact/hooks";
import { sessionCall, type SessionName } from "../../../api/session-call.js";
import { randomKey } from "../../../api/random-key.js";
import { faultsByField } from "../../../api/failure.js";
import { Dialog } from "../../../ui/dialog.js";
import { DialogFoot } from "../../../ui/dialog-foot.js";
import { Field } from "../../../ui/field.js";
import { useAction } from "../../../ui/use-action.js";
import { useFaultFocus } from "../../../ui/use-fault-focus.js";
import { recipientIn } from "./chat-rows.js";

export interface NewMessageDialogProps {
  readonly session: SessionName;
  readonly chat: string;
  readonly onClose: () => void;
  readonly onSent: () => void;
}

const fields = ["question", "options"];

/** POST /message/poll. */
export function PollDialog({ session, chat, onClose, onSent }: NewMessageDialogProps) {
  const [question, setQuestion] = useState("");
  const [options, setOptions] = useState("");
  const [multiple, setMultiple] = useState(false);
  const [key, setKey] = useState(randomKey);
  const action = useAction(async (signal) => {
    const lines = options.split("\n").filter((line) => line.trim() !== "");
    const body = { ...recipientIn(session, chat), question, options: lines, multiple };
    await sessionCall(session, "POST /message/poll", { body, headers: { "idempotency-key": key }, signal });
    onSent();
  });
  const form = useFaultFocus(action.failure);
  const faults = faultsByField(action.failure?.status === 400 ? action.failure.message : "", fields);
  const changed = (change: () => void): void => {
    change();
    action.clear();
    setKey(randomKey());
  };
  return (
    <Dialog title="New poll" onClose={onClose}>
      <form
        ref={form}
        class="stack"
        onSubmit={(event) => {
          event.preventDefault();
          action.run();
        }}
      >
        <Field
          label="Question"
          value={question}
          onInput={(value) => changed(() => setQuestion(value))}
          fault={faults.get("question")}
          required
          focus
        />
        <Field
          label="Options"
          lines={4}
          hint="2 to 12 options, one per line."
          value={options}
          onInput={(value) => changed(() => setOptions(value))}
          fault={faults.get("options")}
          required
        />
        <label class="check">
          <input type="checkbox" checked={multiple} onChange={() => changed(() => setMultiple(!multiple))} />
          Allow several answers
        </label>
        <DialogFoot label="Send poll" failure={action.failure} fields={fields} busy={action.busy} onClose={onClose} />
      </form>
    </Dialog>
  );
}
