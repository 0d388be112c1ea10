import { CodeText } from "../code-text.js";
import { curlText, type RequestCall } from "../request-code.js";

/** Shows a request as a curl command, closed at first. */
export function CurlView({ call }: { call: RequestCall }) {
  return (
    <details class="card curl">
      <summary>View as curl</summary>
      <CodeText text={curlText(call)} label="The message as a curl command" what="command" />
      <p class="hint">
        Set <code>API_KEY</code> to an API key of this tenant first.
      </p>
    </details>
  );
}
