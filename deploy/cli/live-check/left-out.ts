/** Thrown by a step that cannot run here, or that the person declined. */
export class LeftOut extends Error {}
