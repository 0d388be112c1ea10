import type { ComponentChildren } from "preact";
import { useId } from "preact/hooks";

export interface FieldProps {
  readonly label: string;
  readonly value: string;
  readonly onInput: (value: string) => void;
  readonly hint?: ComponentChildren;
  /** What the API says is wrong with it. */
  readonly fault?: string | undefined;
  readonly type?: "text" | "password" | "number" | "url" | "search" | "tel" | "datetime-local";
  readonly lines?: number;
  readonly placeholder?: string;
  readonly autocomplete?: string;
  readonly required?: boolean;
  readonly spellcheck?: boolean;
  readonly focus?: boolean;
}

/** An input with its label, hint and error, linked for screen readers too. */
export function Field(props: FieldProps) {
  const {
    label,
    value,
    onInput,
    hint,
    fault,
    type = "text",
    lines,
    placeholder,
    autocomplete = "off",
    required = false,
    focus = false,
  } = props;
  const id = useId();
  const described = [hint === undefined ? "" : `${id}-hint`, fault === undefined ? "" : `${id}-fault`]
    .filter((name) => name !== "")
    .join(" ");
  const common = {
    id,
    value,
    placeholder,
    autocomplete,
    dir: "auto" as const,
    spellcheck: props.spellcheck ?? false,
    "aria-invalid": fault !== undefined,
    "aria-required": required,
    ...(described === "" ? {} : { "aria-describedby": described }),
    onInput: (event: { currentTarget: { value: string } }) => onInput(event.currentTarget.value),
  };
  return (
    <div class="field">
      <label for={id}>{label}</label>
      {lines === undefined ? <input {...inputOf(type)} autofocus={focus} {...common} /> : <textarea rows={lines} {...common} />}
      {hint !== undefined && (
        <p class="hint" id={`${id}-hint`}>
          {hint}
        </p>
      )}
      {fault !== undefined && (
        <p class="fault" id={`${id}-fault`}>
          {fault}
        </p>
      )}
    </div>
  );
}

/** The element's declaration wants one type of input at a time, where here it is any of them. */
function inputOf(type: string): object {
  return { type, step: "any" };
}

export interface SelectProps {
  readonly label: string;
  readonly value: string;
  readonly onChange: (value: string) => void;
  readonly options: readonly { readonly value: string; readonly label: string }[];
  readonly hint?: string;
  /** Hides the label visually where the context explains the field. */
  readonly hiddenLabel?: boolean;
}

export function Select({ label, value, onChange, options, hint, hiddenLabel = false }: SelectProps) {
  const id = useId();
  return (
    <div class="field">
      <label for={id} class={hiddenLabel ? "unseen" : ""}>
        {label}
      </label>
      <select id={id} value={value} onChange={(event) => onChange(event.currentTarget.value)}>
        {options.map((option) => (
          <option key={option.value} value={option.value}>
            {option.label}
          </option>
        ))}
      </select>
      {hint !== undefined && <p class="hint">{hint}</p>}
    </div>
  );
}

export interface ChoiceProps<Value extends string> {
  readonly label: string;
  readonly value: Value;
  readonly onChange: (value: Value) => void;
  readonly options: readonly { readonly value: Value; readonly label: string }[];
}

/** One of a few, all of them in sight. */
export function Choice<Value extends string>({ label, value, onChange, options }: ChoiceProps<Value>) {
  const name = useId();
  return (
    <fieldset class="choice">
      <legend>{label}</legend>
      <div class="choice-options">
        {options.map((option) => (
          <label key={option.value} class={option.value === value ? "chosen" : ""}>
            <input type="radio" name={name} value={option.value} checked={option.value === value} onChange={() => onChange(option.value)} />
            {option.label}
          </label>
        ))}
      </div>
    </fieldset>
  );
}
