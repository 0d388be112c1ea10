import { useState } from "preact/hooks";
import { messageTypes, type MessageOutput } from "../../../../../../shared/contract/message-content.js";
import { sessionCall } from "../../../api/session-call.js";
import { settings } from "../../../api/settings.js";
import { Choice, Field, Select } from "../../../ui/field.js";
import { useFaultFocus } from "../../../ui/use-fault-focus.js";
import type { TabProps } from "../tab-props.js";
import { CurlView } from "./curl-view.js";
import { contentNames, messageForms, type ContentType } from "./content-forms.js";
import { Fields } from "./fields.js";
import { MessagePreview } from "./preview.js";
import { noteRecipient } from "./recent.js";
import type { Recipient } from "./recipient-choices.js";
import { RecipientPicker } from "./recipient-picker.js";
import { isAboutRecipient, recipients } from "./recipients.js";
import { SendFoot } from "./send-foot.js";
import { Typing } from "./typing.js";
import { useContent } from "./use-content.js";

const types = messageTypes.map((value) => ({ value, label: contentNames[value] }));
const modes = [
  { value: "", label: "None" },
  { value: "markdown", label: "Markdown" },
  { value: "html", label: "HTML" },
];

/** POST /message, every kind of it. */
export function SendTab({ session, query }: TabProps) {
  const kinds = recipients[session.platform];
  const [kind, setKind] = useState(kinds.find(({ value }) => value === query["kind"])?.value ?? kinds[0]?.value ?? "");
  const [to, setTo] = useState(query["to"] ?? "");
  const [picked, setPicked] = useState<Recipient>();
  const [parseMode, setParseMode] = useState("");
  const bodyWith = (written: object): object => ({ [kind]: to, ...(parseMode === "" ? {} : { parseMode }), ...written });
  const content = useContent(
    (type) => messageForms[type],
    async (written, key, signal) => {
      const body = bodyWith(written);
      const sent = await sessionCall<MessageOutput>(session, "POST /message", { body, headers: { "idempotency-key": key }, signal });
      const known = picked?.kind === kind && picked.to === to ? picked : { kind, to, name: "" };
      noteRecipient({ ...known, session: session.id });
      return sent;
    },
  );
  const { type, action, faults } = content;
  const form = useFaultFocus(action.failure);
  const sentences = content.rest === "" ? [] : content.rest.split("\n");
  const aboutRecipient = sentences.filter((sentence) => isAboutRecipient(sentence));
  const rest = sentences.filter((sentence) => !isAboutRecipient(sentence)).join("\n");
  const row = kinds.find(({ value }) => value === kind);
  const changed = (change: () => void): void => {
    change();
    content.change();
  };
  const chooseKind = (chosen: string): void =>
    changed(() => {
      setKind(chosen);
      setTo("");
    });
  const pick = (chosen: Recipient): void =>
    changed(() => {
      setPicked(chosen);
      setKind(chosen.kind);
      setTo(chosen.to);
    });
  const hasText = (chosen: ContentType): boolean => messageForms[chosen].some(({ name }) => name === "text");
  const chooseType = (chosen: ContentType): void => {
    if (!hasText(chosen)) setParseMode("");
    content.chooseType(chosen);
  };
  const fillSample = (): void => {
    content.fillSample?.();
    const someone = kinds.find(({ sample }) => sample !== undefined);
    if (to !== "" || someone === undefined) return;
    setKind(someone.value);
    setTo(someone.sample ?? "");
  };
  return (
    <div class="columns">
      <form
        ref={form}
        class="card"
        aria-label="Send message"
        onSubmit={(event) => {
          event.preventDefault();
          action.run();
        }}
      >
        <div class="recipient">
          <Select label="Send to" value={kind} options={kinds} onChange={chooseKind} />
          <Field
            label="Recipient"
            value={to}
            onInput={(value) => changed(() => setTo(value))}
            fault={aboutRecipient.length === 0 ? undefined : aboutRecipient.join("\n")}
            {...(row === undefined ? {} : { placeholder: row.placeholder })}
            {...(picked?.kind === kind && picked.to === to && picked.name !== "" ? { hint: picked.name } : {})}
          />
          <RecipientPicker session={session} onPick={pick} />
        </div>
        <Choice label="Type" value={type} options={types} onChange={chooseType} />
        <Fields fields={content.fields} values={content.values} onInput={content.input} faults={faults} />
        {session.platform === "telegram" && hasText(type) && (
          <Select label="Formatting" value={parseMode} options={modes} onChange={(value) => changed(() => setParseMode(value))} />
        )}
        <SendFoot
          content={{ ...content, rest, fillSample: content.fillSample && fillSample }}
          verb="Send message"
          doing="Sending…"
          done="Message sent"
          idOf={({ messageId }) => messageId}
        />
      </form>
      <div class="stack">
        <section class="card" aria-labelledby="preview-title">
          <h2 id="preview-title">Preview</h2>
          <MessagePreview type={type} values={content.values} />
        </section>
        <CurlView
          call={{
            url: `${location.origin}${settings().prefixes[session.platform]}/message`,
            headers: { "x-api-key": { env: "API_KEY" }, id: session.id },
            body: bodyWith(content.body),
          }}
        />
        {row?.hearsTyping === true && <Typing session={session} kind={kind} to={to} />}
      </div>
    </div>
  );
}
