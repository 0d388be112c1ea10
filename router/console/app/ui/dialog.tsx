import type { ComponentChildren } from "preact";
import { useLayoutEffect, useId, useRef } from "preact/hooks";
import { Button } from "./button.js";

/** A modal dialog. The browser keeps the focus inside, and the focus returns to its former place on close. */
export function Dialog({ title, onClose, children }: { title: string; onClose: () => void; children: ComponentChildren }) {
  const element = useRef<HTMLDialogElement>(null);
  const id = useId();
  useLayoutEffect(() => {
    const before = document.activeElement;
    element.current?.showModal();
    return () => {
      if (before instanceof HTMLElement) before.focus();
    };
  }, []);
  return (
    <dialog ref={element} class="dialog" aria-labelledby={id} onClose={onClose}>
      <header>
        <h2 id={id}>{title}</h2>
        <Button kind="quiet" icon="close" label="Close" onClick={() => element.current?.close()} />
      </header>
      {children}
    </dialog>
  );
}
