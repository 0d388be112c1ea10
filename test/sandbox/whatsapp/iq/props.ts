import { node } from "../protocol/node.js";
import type { IqHandler } from "./iq-request.js";

/** `lid_one_on_one_migration_enabled` in whatsapp-rust's abprops.rs. */
const lidMigration = "9435";

/** Returns the switches of client experiments. */
export const props: IqHandler = ({ account }) => [
  node(
    "props",
    { protocol: "1", hash: "sandbox", refresh: "86400", refresh_id: "1" },
    account.lidMigrated ? [node("prop", { config_code: lidMigration, config_value: "1" })] : [],
  ),
];
