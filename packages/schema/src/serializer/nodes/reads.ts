/** How properties are read. */
import { pointerToken } from '../../document/pointer.ts'
import { isObject } from '../../guards.ts'
import { OBJECT_NAMES } from '../../runtime/containers.ts'

/** Whether a property is read only if it is the object's own; a guard has excluded other inherited ones. */
export function isOwnRead(name: string, ownReads: boolean): boolean {
  return ownReads || OBJECT_NAMES.has(name)
}

/** Reads an own property. */
export function readOwn(object: object, name: string): unknown {
  return Object.hasOwn(object, name) && isObject(object) ? object[name] : undefined
}

/** A property in a JSON pointer. */
export function step(key: string): string {
  return `/${pointerToken(key)}`
}
