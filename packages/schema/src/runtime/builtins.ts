/** Functions of the language, under names that generated code can import. */

/** Whether an object has a property of its own. */
export const hasOwn: (object: object, key: PropertyKey) => boolean = Object.hasOwn
/** The prototype of an object. */
export const prototypeOf: (object: object) => unknown = Object.getPrototypeOf
/** The prototype of plain objects. */
export const plainPrototype: object = Object.prototype
/** Whether a value is an array. */
export const isArray: (value: unknown) => value is unknown[] = Array.isArray
