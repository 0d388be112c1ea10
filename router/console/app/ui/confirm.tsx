import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";
import { Button, type ButtonProps } from "./button.js";
import { Dialog } from "./dialog.js";
import { DialogFoot } from "./dialog-foot.js";
import { Field } from "./field.js";
import { useAction } from "./use-action.js";

export interface ConfirmProps extends Pick<ButtonProps, "kind" | "icon" | "disabled"> {
  readonly label: string;
  readonly title: string;
  /** Description of the consequences. */
  readonly children: ComponentChildren;
  readonly act: (signal: AbortSignal) => Promise<unknown>;
  readonly onDone?: () => void;
  /** What has to be typed first: the name of what goes for good. */
  readonly typed?: string | undefined;
}

/** A button whose action needs a confirmation. */
export function Confirm({ label, title, children, act, onDone, typed, kind = "plain", ...look }: ConfirmProps) {
  const [open, setOpen] = useState(false);
  const [text, setText] = useState("");
  const action = useAction(async (signal) => {
    await act(signal);
    setOpen(false);
    onDone?.();
  });
  const begin = (): void => {
    setText("");
    setOpen(true);
  };
  return (
    <>
      <Button kind={kind} {...look} opensDialog onClick={() => begin()}>
        {label}
      </Button>
      {open && (
        <Dialog title={title} onClose={() => setOpen(false)}>
          {children}
          {typed !== undefined && <Field label={`Type "${typed}" to confirm`} value={text} onInput={setText} focus />}
          <DialogFoot
            label={label}
            kind={kind === "danger" ? "danger" : "primary"}
            failure={action.failure}
            busy={action.busy}
            disabled={typed !== undefined && text !== typed}
            onClose={() => setOpen(false)}
            onAgree={() => action.run()}
          />
        </Dialog>
      )}
    </>
  );
}
