import { useState } from "preact/hooks";
import { messageTypes, type MessageOutput } from "../../../../../../shared/contract/message-content.js";
import { sessionCall } from "../../../api/session-call.js";
import { Choice, Field, Select } from "../../../ui/field.js";
import type { TabProps } from "../tab-props.js";
import { contentNames, messageForms } from "./content-forms.js";
import { Fields } from "./fields.js";
import { MessagePreview } from "./preview.js";
import { recipients } from "./recipients.js";
import { SendFoot } from "./send-foot.js";
import { Typing } from "./typing.js";
import { useContent } from "./use-content.js";

const types = messageTypes.map((value) => ({ value, label: contentNames[value] }));
const modes = [
  { value: "", label: "As it is written" },
  { value: "markdown", label: "Markdown" },
  { value: "html", label: "HTML" },
];

/** POST /message, every kind of it. */
export function SendTab({ session, query }: TabProps) {
  const kinds = recipients[session.platform];
  const [kind, setKind] = useState(kinds.find(({ value }) => value === query["kind"])?.value ?? kinds[0]?.value ?? "");
  const [to, setTo] = useState(query["to"] ?? "");
  const [parseMode, setParseMode] = useState("");
  const content = useContent(
    (type) => messageForms[type],
    async (written, key, signal) => {
      const body = { [kind]: to, ...(parseMode === "" ? {} : { parseMode }), ...written };
      return await sessionCall<MessageOutput>(session, "POST /message", { body, headers: { "idempotency-key": key }, signal });
    },
  );
  const { type, action, faults } = content;
  const row = kinds.find(({ value }) => value === kind);
  const changed = (change: () => void): void => {
    change();
    content.change();
  };
  return (
    <div class="columns">
      <form
        class="card"
        aria-label="Send a message"
        onSubmit={(event) => {
          event.preventDefault();
          action.run();
        }}
      >
        <div class="recipient">
          <Select label="To" value={kind} options={kinds} onChange={(value) => changed(() => setKind(value))} />
          <Field
            label="Recipient"
            value={to}
            onInput={(value) => changed(() => setTo(value))}
            {...(row === undefined ? {} : { placeholder: row.placeholder })}
          />
        </div>
        <Choice label="Type" value={type} options={types} onChange={content.chooseType} />
        <Fields fields={content.fields} values={content.values} onInput={content.input} faults={faults} />
        {session.platform === "telegram" && (
          <Select label="Marks in the text" value={parseMode} options={modes} onChange={(value) => changed(() => setParseMode(value))} />
        )}
        <SendFoot
          content={content}
          verb="Send"
          doing="Sending …"
          done="Accepted by the platform"
          idName="Message id"
          idOf={({ messageId }) => messageId}
        />
      </form>
      <div class="stack">
        <section class="card" aria-labelledby="preview-title">
          <h2 id="preview-title">Preview</h2>
          <MessagePreview type={type} values={content.values} />
        </section>
        {row?.hearsTyping === true && <Typing session={session} kind={kind} to={to} />}
      </div>
    </div>
  );
}
