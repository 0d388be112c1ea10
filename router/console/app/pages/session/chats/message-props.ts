import type { SessionName } from "../../../api/session-call.js";
import type { AnyChatMessage } from "./chat-types.js";
import type { Draft } from "./composer.js";

/** Props of a message and of its actions. */
export interface MessageProps {
  readonly session: SessionName;
  readonly chat: string;
  readonly message: AnyChatMessage;
  /** The message that it replies to, if the page has it. */
  readonly quoted: AnyChatMessage | undefined;
  /** The account's reaction that this page has set; empty without one. */
  readonly reaction: string;
  /** Its actions are shown. */
  readonly isOpen: boolean;
  readonly onOpen: () => void;
  /** Begins a reply or an edit. */
  readonly onWrite: (draft: Draft) => void;
  readonly onReact: (emoji: string) => void;
  /** The message was deleted or forwarded. */
  readonly onChange: () => void;
}
