/** Thrown while a schema is read that has something that only Ajv can check. */
export class Unsupported extends Error {}
