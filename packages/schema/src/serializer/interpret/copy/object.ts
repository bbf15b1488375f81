/** Copies of objects. */
import { missing } from '../../../runtime/describe.ts'
import { prefixPointer } from '../../../runtime/errors.ts'
import { anyValue, putProperty } from '../../../runtime/projection.ts'
import { pointerToken } from '../../../document/pointer.ts'
import type { Node, ObjectNode, PropertyNode } from '../../ir.ts'
import { isOwnRead, objectSource, otherWriter, readOwn, requiredTest } from '../read.ts'
import type { Writer, WriterContext } from '../writer.ts'

/** A declared property as closures see it. */
interface Property {
  readonly name: string
  readonly isOwn: boolean
  readonly write: Writer<unknown>
  readonly isRequired: boolean
  /** What is copied when there is no value; undefined leaves the property out. */
  readonly fallback: unknown
}

/** The writer of a copy of an object; properties that are `undefined` are left out by `JSON.stringify`. */
export function objectCopy(
  context: WriterContext<unknown>,
  node: ObjectNode,
  isRecord: boolean,
): Writer<unknown> {
  const source = objectSource(node, isRecord)
  const checkRequired = node.requiredOnly.length === 0 ? undefined : requiredTest(node, context.options)
  // A closure here would keep the context.
  const properties: Property[] = []
  for (const property of node.properties) properties.push(propertyOf(context, property))
  const isSafe = !node.properties.some(({ name }) => name === '__proto__')
  const writeOthers = otherWriter(node, (inner) => partialWriter(context, inner))
  return (value) => {
    const object = source(value)
    if (checkRequired !== undefined) checkRequired(object)
    const copy: Record<string, unknown> = {}
    let at: Property | undefined
    try {
      for (const property of properties) {
        const { name } = property
        const entry = property.isOwn ? readOwn(object, name) : object[name]
        at = property
        const written = entry === undefined ? undefined : property.write(entry)
        const made = written === undefined ? property.fallback : written
        if (made === undefined && property.isRequired) {
          at = undefined
          missing(`/${pointerToken(name)}`)
        }
        if (isSafe) copy[name] = made
        else putProperty(copy, name, made)
      }
    } catch (error) {
      throw at === undefined ? error : prefixPointer(error, '', at.name)
    }
    writeOthers?.(object, (key, made) => putProperty(copy, key, made))
    return copy
  }
}

function propertyOf(
  context: WriterContext<unknown>,
  { name, node, isRequired, defaultText }: PropertyNode,
): Property {
  const fallback: unknown = defaultText === undefined ? undefined : JSON.parse(defaultText)
  const isOwn = isOwnRead(name, context.options)
  return { name, isOwn, write: partialWriter(context, node), isRequired, fallback }
}

/** An untyped value may have no JSON text. */
function partialWriter(context: WriterContext<unknown>, node: Node): Writer<unknown> {
  return node.kind === 'any' ? anyValue : context.writer(node, false)
}
