import type { ComponentChildren } from "preact";
import { Avatar } from "../../../ui/avatar.js";
import { Icon } from "../../../ui/icon.js";

export interface ChatHeadProps {
  readonly name: string;
  readonly picture: string;
  /** Address of the list that contains the chat. */
  readonly back: string;
  readonly what: string;
  readonly facts: readonly string[];
  readonly description?: string;
  /** Where a message to it is written; absent where the account may not. */
  readonly send?: string;
  /** Further buttons. */
  readonly children?: ComponentChildren;
}

/** Heading of the open chat. */
export function ChatHead({ name, picture, back, what, facts, description = "", send, children }: ChatHeadProps) {
  return (
    <div class="chat-head">
      <a class="button quiet icon-only" href={back} aria-label={what}>
        <Icon name="back" />
      </a>
      <Avatar name={name} picture={picture} />
      <div class="titles">
        <h2 dir="auto">{name === "" ? "Unnamed" : name}</h2>
        <p class="soft">{facts.filter((text) => text !== "").join(" · ")}</p>
        {description !== "" && (
          <p class="description" dir="auto">
            {description}
          </p>
        )}
      </div>
      {send !== undefined && (
        <a class="button" href={send}>
          <Icon name="send" />
          Send message
        </a>
      )}
      {children}
    </div>
  );
}
