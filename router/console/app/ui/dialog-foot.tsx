import type { ApiFailure } from "../api/failure.js";
import { Button, type ButtonProps } from "./button.js";
import { FormFailure } from "./form-failure.js";

export interface DialogFootProps extends Pick<ButtonProps, "kind" | "busy" | "disabled"> {
  /** Label of the confirm button. */
  readonly label: string;
  readonly failure: ApiFailure | undefined;
  /** Fields of the dialog, beside which their faults stand. */
  readonly fields?: readonly string[];
  readonly onClose: () => void;
  /** Without it, the form around it is sent. */
  readonly onAgree?: () => void;
}

/** The end of a dialog: why it was refused, the way out, and the word that does it. */
export function DialogFoot({ label, failure, fields = [], onClose, onAgree, kind = "primary", busy, disabled }: DialogFootProps) {
  const state = { kind, busy: busy === true, disabled: disabled === true };
  return (
    <>
      <FormFailure failure={failure} fields={fields} doing={label.charAt(0).toLowerCase() + label.slice(1)} />
      <div class="actions">
        <Button onClick={() => onClose()}>Cancel</Button>
        {onAgree === undefined ? (
          <Button type="submit" {...state}>
            {label}
          </Button>
        ) : (
          <Button onClick={() => onAgree()} {...state}>
            {label}
          </Button>
        )}
      </div>
    </>
  );
}
