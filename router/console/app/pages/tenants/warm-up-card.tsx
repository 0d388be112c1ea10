import { useState } from "preact/hooks";
import { call } from "../../api/call.js";
import { faultsByField } from "../../api/failure.js";
import type { TenantRow } from "../../api/operator-rows.js";
import { announce } from "../../ui/announcer.js";
import { Button } from "../../ui/button.js";
import { FormFailure } from "../../ui/form-failure.js";
import { Notice } from "../../ui/notice.js";
import { useAction } from "../../ui/use-action.js";
import { NumberFields } from "./number-fields.js";
import { faultNames, numberTexts } from "./number-texts.js";
import { noWarmUpTexts, warmUpChange, warmUpForm } from "./tenant-forms.js";

interface WarmUpCardProps {
  readonly tenant: string;
  readonly warmUp: TenantRow["pace"]["warmUp"];
  readonly onDone: () => void;
}

/** The warm-up of young accounts. Both numbers are saved together; two empty fields end it. */
export function WarmUpCard({ tenant, warmUp, onDone }: WarmUpCardProps) {
  const before = warmUp === null ? noWarmUpTexts : numberTexts(warmUpForm.names, warmUp);
  const [texts, setTexts] = useState(before);
  const action = useAction(async (signal) => {
    const body = { pace: { warmUp: warmUpChange(texts) } };
    await call(`PATCH /admin/tenants/${encodeURIComponent(tenant)}`, { body, signal });
    announce("Warm-up saved");
    onDone();
  });
  const fields = faultNames(warmUpForm);
  const faults = faultsByField(action.failure?.status === 400 ? action.failure.message : "", fields);
  return (
    <form
      class="card"
      aria-labelledby="warm-up-title"
      onSubmit={(event) => {
        event.preventDefault();
        action.run();
      }}
    >
      <h2 id="warm-up-title">Warm-up of new accounts</h2>
      <p class="hint">Newly linked accounts start with a few messages a day and reach the full pace after these days.</p>
      <NumberFields form={warmUpForm} texts={texts} onChange={setTexts} faults={faults} />
      <FormFailure failure={action.failure} fields={fields} doing="save warm-up" />
      {action.done !== undefined && <Notice kind="good">Saved. Takes effect within a second.</Notice>}
      <div class="actions">
        <Button type="submit" kind="primary" busy={action.busy} disabled={JSON.stringify(texts) === JSON.stringify(before)}>
          Save
        </Button>
      </div>
    </form>
  );
}
