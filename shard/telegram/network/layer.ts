/** The layer of the library's schema. The successor of the library keeps the number in another module, so only this file imports it. */
export { LAYER } from "telegram/tl/AllTLObjects.js";
