import { CopyButton } from "../../../ui/copy-button.js";
import { curlText, type CurlCall } from "./curl.js";

/** Shows a request as a curl command, closed at first. */
export function CurlView({ call }: { call: CurlCall }) {
  const text = curlText(call);
  return (
    <details class="card curl">
      <summary>View as curl</summary>
      <div class="curl-text">
        <pre tabIndex={0} aria-label="The message as a curl command">
          {text}
        </pre>
        <CopyButton text={text} what="command" />
      </div>
      <p class="hint">
        Set <code>API_KEY</code> to an API key of this tenant first.
      </p>
    </details>
  );
}
