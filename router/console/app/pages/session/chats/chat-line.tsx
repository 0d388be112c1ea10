import type { ComponentChildren } from "preact";
import { Avatar } from "../../../ui/avatar.js";

export interface ChatLineProps {
  readonly name: string;
  readonly picture?: string;
  readonly more: string;
  /** Address of the line's link; absent for no link. */
  readonly href?: string;
  readonly end?: ComponentChildren;
  /** The line's page is open beside the list. */
  readonly current?: boolean;
}

/** A group, a channel or a person in a list. */
export function ChatLine({ name, picture = "", more, href, end, current = false }: ChatLineProps) {
  const line = (
    <>
      <Avatar name={name} picture={picture} />
      <span class="main">
        <span class="name" dir="auto">
          {name === "" ? "Unnamed" : name}
        </span>
        <span class="more">{more}</span>
      </span>
      <span class="end">{end}</span>
    </>
  );
  return href === undefined ? (
    <div class="row chat-row">{line}</div>
  ) : (
    <a class="row chat-row" href={href} aria-current={current ? "page" : undefined}>
      {line}
    </a>
  );
}
