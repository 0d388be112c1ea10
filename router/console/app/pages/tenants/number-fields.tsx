import { Field } from "../../ui/field.js";
import type { NumberForm, NumberTexts } from "./number-texts.js";

/** Each number with its field. */
export function NumberFields<Name extends string>({
  form: { field, names, labels, absent },
  texts,
  onChange,
  faults,
}: {
  form: NumberForm<Name>;
  texts: NumberTexts<Name>;
  onChange: (texts: NumberTexts<Name>) => void;
  faults: ReadonlyMap<string, string>;
}) {
  return (
    <div class="row-fields">
      {names.map((name) => (
        <Field
          key={name}
          label={labels[name]}
          value={texts[name]}
          placeholder={absent}
          fault={faults.get(`${field}.${name}`)}
          onInput={(text) => onChange({ ...texts, [name]: text })}
        />
      ))}
    </div>
  );
}
