import { Field } from "../../../ui/field.js";
import type { FormField, Values } from "./content-forms.js";

export interface FieldsProps {
  readonly fields: readonly FormField[];
  readonly values: Values;
  readonly onInput: (name: string, value: string) => void;
  readonly faults: ReadonlyMap<string, string>;
}

/** Inputs of one form, each with its error from the API. */
export function Fields({ fields, values, onInput, faults }: FieldsProps) {
  return (
    <>
      {fields.map(({ name, label, type, lines, hint, optional }) => (
        <Field
          key={name}
          label={optional === true ? `${label} (optional)` : label}
          value={values[name] ?? ""}
          onInput={(value) => onInput(name, value)}
          fault={faults.get(name)}
          required={optional !== true}
          {...(type === undefined ? {} : { type })}
          {...(lines === undefined ? {} : { lines, spellcheck: true })}
          {...(hint === undefined ? {} : { hint })}
        />
      ))}
    </>
  );
}
