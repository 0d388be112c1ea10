import type { ComponentChildren } from "preact";
import { Icon, type IconName } from "./icon.js";

export interface ButtonProps {
  readonly children?: ComponentChildren;
  readonly onClick?: () => void;
  readonly kind?: "plain" | "primary" | "danger" | "quiet";
  readonly type?: "button" | "submit";
  readonly icon?: IconName;
  /** Its work is under way: it waits, and says so. */
  readonly busy?: boolean;
  readonly disabled?: boolean;
  /** The button shows and hides what follows it: whether it is shown. */
  readonly expanded?: boolean;
  /** The button opens a dialog. */
  readonly opensDialog?: boolean;
  /** Accessible label of a button that shows only its icon. */
  readonly label?: string;
}

export function Button(props: ButtonProps) {
  const {
    children,
    onClick,
    kind = "plain",
    type = "button",
    icon,
    busy = false,
    disabled = false,
    opensDialog = false,
    label,
    expanded,
  } = props;
  const iconOnly = children === undefined;
  return (
    <button
      type={type}
      class={`button ${kind} ${iconOnly ? "icon-only" : ""}`}
      onClick={onClick}
      disabled={disabled}
      aria-disabled={busy}
      aria-busy={busy}
      {...(expanded === undefined ? {} : { "aria-expanded": expanded })}
      {...(opensDialog ? { "aria-haspopup": "dialog" } : {})}
      {...(label === undefined ? {} : { "aria-label": label, title: label })}
    >
      {busy ? <span class="spinner" aria-hidden="true" /> : icon !== undefined && <Icon name={icon} />}
      {children}
    </button>
  );
}
