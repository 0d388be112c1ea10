import { node } from "../protocol/node.js";
import type { IqHandler } from "./iq-request.js";

/** Switches of the client's experiments: none is set. */
export const props: IqHandler = () => [node("props", { protocol: "1", hash: "sandbox", refresh: "86400", refresh_id: "1" }, [])];
