/** A step that cannot be tried here, or that the person does not want. */
export class LeftOut extends Error {}
