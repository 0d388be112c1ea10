import { useState } from "preact/hooks";
import { call } from "../../api/call.js";
import { faultsByField } from "../../api/failure.js";
import { announce } from "../../ui/announcer.js";
import { Button } from "../../ui/button.js";
import { FormFailure } from "../../ui/form-failure.js";
import { Notice } from "../../ui/notice.js";
import { useAction } from "../../ui/use-action.js";
import { NumberFields } from "./number-fields.js";
import { faultNames, numberChange, numberTexts, type NumberForm } from "./number-texts.js";

export interface NumberCardProps<Name extends string> {
  readonly tenant: string;
  readonly title: string;
  readonly hint?: string;
  readonly form: NumberForm<Name>;
  readonly numbers: Readonly<Record<Name, number | null>>;
  readonly onDone: () => void;
}

/** Numbers of a tenant, which are changed together. */
export function NumberCard<Name extends string>({ tenant, title, hint, form, numbers, onDone }: NumberCardProps<Name>) {
  const before = numberTexts(form.names, numbers);
  const [texts, setTexts] = useState(before);
  const change = numberChange(form.names, before, texts);
  const action = useAction(async (signal) => {
    await call(`PATCH /admin/tenants/${encodeURIComponent(tenant)}`, { body: { [form.field]: change }, signal });
    announce(`${title} saved`);
    onDone();
  });
  const fields = faultNames(form);
  const faults = faultsByField(action.failure?.status === 400 ? action.failure.message : "", fields);
  return (
    <form
      class="card"
      aria-labelledby={`${form.field}-title`}
      onSubmit={(event) => {
        event.preventDefault();
        action.run();
      }}
    >
      <h2 id={`${form.field}-title`}>{title}</h2>
      {hint !== undefined && <p class="hint">{hint}</p>}
      <NumberFields form={form} texts={texts} onChange={setTexts} faults={faults} />
      <FormFailure failure={action.failure} fields={fields} doing={`save ${title.toLowerCase()}`} />
      {action.done !== undefined && <Notice kind="good">Saved. Takes effect within a second.</Notice>}
      <div class="actions">
        <Button type="submit" kind="primary" busy={action.busy} disabled={Object.keys(change).length === 0}>
          Save
        </Button>
      </div>
    </form>
  );
}
