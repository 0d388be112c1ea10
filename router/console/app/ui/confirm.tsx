import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";
import { Button, type ButtonProps } from "./button.js";
import { Dialog } from "./dialog.js";
import { FailureNotice } from "./notice.js";
import { useAction } from "./use-action.js";

export interface ConfirmProps extends Pick<ButtonProps, "kind" | "icon" | "disabled"> {
  readonly label: string;
  readonly title: string;
  /** What is going to happen. */
  readonly children: ComponentChildren;
  readonly act: (signal: AbortSignal) => Promise<unknown>;
  readonly onDone?: () => void;
}

/** A button whose work is told and agreed to first. */
export function Confirm({ label, title, children, act, onDone, kind = "plain", ...look }: ConfirmProps) {
  const [open, setOpen] = useState(false);
  const action = useAction(async (signal) => {
    await act(signal);
    setOpen(false);
    onDone?.();
  });
  return (
    <>
      <Button kind={kind} {...look} onClick={() => setOpen(true)}>
        {label}
      </Button>
      {open && (
        <Dialog title={title} onClose={() => setOpen(false)}>
          {children}
          {action.failure !== undefined && <FailureNotice failure={action.failure} />}
          <div class="actions">
            <Button onClick={() => setOpen(false)}>Cancel</Button>
            <Button kind={kind === "danger" ? "danger" : "primary"} busy={action.busy} onClick={() => action.run()}>
              {label}
            </Button>
          </div>
        </Dialog>
      )}
    </>
  );
}
