/** The layer of the library's schema. Only this file imports it, because the library's successor keeps it in another module. */
export { LAYER } from "telegram/tl/AllTLObjects.js";
