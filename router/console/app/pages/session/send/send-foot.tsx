import { Button } from "../../../ui/button.js";
import { FailureNotice, Notice } from "../../../ui/notice.js";
import type { Content } from "./use-content.js";

export interface SendFootProps<T> {
  readonly content: Content<T>;
  readonly verb: string;
  readonly doing: string;
  readonly done: string;
  readonly idOf: (sent: T) => string;
}

/** Footer of a send form: result and buttons. */
export function SendFoot<T>({ content: { action, rest, fillSample }, verb, doing, done, idOf }: SendFootProps<T>) {
  return (
    <>
      {action.failure !== undefined && rest !== "" && (
        <FailureNotice failure={action.failure} doing={verb.charAt(0).toLowerCase() + verb.slice(1)} text={rest} />
      )}
      {action.done !== undefined && (
        <Notice kind="good" title={done}>
          <p>
            ID <code>{idOf(action.done) === "" ? "not returned" : idOf(action.done)}</code>
          </p>
        </Notice>
      )}
      <div class="actions">
        <Button type="submit" kind="primary" icon="send" busy={action.busy}>
          {action.busy ? doing : verb}
        </Button>
        {fillSample !== undefined && (
          <Button kind="quiet" onClick={() => fillSample()}>
            Use example
          </Button>
        )}
      </div>
    </>
  );
}
