import { Button } from "../../../ui/button.js";
import { FailureNotice, Notice } from "../../../ui/notice.js";
import type { Content } from "./use-content.js";

export interface SendFootProps<T> {
  readonly content: Content<T>;
  readonly verb: string;
  readonly doing: string;
  readonly done: string;
  /** What the platform's id is the id of. */
  readonly idName: string;
  readonly idOf: (sent: T) => string;
}

/** The end of a form whose content is sent: what came of it, and the buttons. */
export function SendFoot<T>({ content: { action, rest, fillSample }, verb, doing, done, idName, idOf }: SendFootProps<T>) {
  return (
    <>
      {action.failure !== undefined && rest !== "" && <FailureNotice failure={action.failure} text={rest} />}
      {action.done !== undefined && (
        <Notice kind="good" title={done}>
          <p>
            {idName} <code>{idOf(action.done) === "" ? "not told" : idOf(action.done)}</code>
          </p>
        </Notice>
      )}
      <div class="actions">
        <Button type="submit" kind="primary" icon="send" busy={action.busy}>
          {action.busy ? doing : verb}
        </Button>
        {fillSample !== undefined && (
          <Button kind="quiet" onClick={() => fillSample()}>
            Fill in a sample
          </Button>
        )}
      </div>
    </>
  );
}
