import { quotaNames } from "../../api/operator-rows.js";
import { Field } from "../../ui/field.js";
import { quotaLabels, type QuotaTexts } from "./quota-form.js";

/** Each quota with its field; empty is no limit. */
export function QuotaFields({
  texts,
  onChange,
  faults,
}: {
  texts: QuotaTexts;
  onChange: (texts: QuotaTexts) => void;
  faults: ReadonlyMap<string, string>;
}) {
  return (
    <div class="row-fields">
      {quotaNames.map((name) => (
        <Field
          key={name}
          label={quotaLabels[name]}
          value={texts[name]}
          placeholder="no limit"
          fault={faults.get(`quotas.${name}`)}
          onInput={(text) => onChange({ ...texts, [name]: text })}
        />
      ))}
    </div>
  );
}

export const quotaFaultNames = quotaNames.map((name) => `quotas.${name}`);
