import { CopyButton } from "../../ui/copy-button.js";

/** Shows code with a button that copies it. The label is for screen readers. */
export function CodeText({ text, label, what }: { text: string; label: string; what: string }) {
  return (
    <div class="code-text">
      <pre tabIndex={0} aria-label={label}>
        {text}
      </pre>
      <CopyButton text={text} what={what} />
    </div>
  );
}
