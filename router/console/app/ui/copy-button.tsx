import { useState } from "preact/hooks";
import { Button } from "./button.js";
import { announce } from "./announcer.js";

const shownMs = 2_000;

/** Puts a text into the clipboard; where the browser has none (no TLS), the text is there to be marked. */
export function CopyButton({ text, what }: { text: string; what: string }) {
  const [copied, setCopied] = useState(false);
  const copy = (): void => {
    void navigator.clipboard.writeText(text).then(() => {
      setCopied(true);
      announce("Copied");
      setTimeout(() => setCopied(false), shownMs);
    });
  };
  return window.isSecureContext ? (
    <Button kind="quiet" icon={copied ? "check" : "copy"} label={copied ? "Copied" : `Copy ${what}`} onClick={() => copy()} />
  ) : null;
}
