/** Closures that build a clean copy of the value, for one native `JSON.stringify`. */
import { missing, refuse } from '../../runtime/describe.ts'
import { prefixPointer } from '../../runtime/errors.ts'
import { anyValue, anyValueOrNull, putProperty } from '../../runtime/projection.ts'
import { nativeText } from '../../runtime/text.ts'
import type { ArrayNode, Node, ObjectNode, PropertyNode, ScalarNode } from '../ir.ts'
import type { SharedWriters } from './definitions.ts'
import { Interpreter } from './interpreter.ts'
import {
  arraySource,
  isOwnRead,
  nativeTest,
  objectSource,
  otherWriter,
  readOwn,
  requiredTest,
} from './read.ts'
import { ScalarCopies } from './scalars.ts'
import type { Writer } from './writer.ts'
import { pointerToken } from '../../document/pointer.ts'

/** Makes the closures of one serializer. */
export class CopyInterpreter extends Interpreter<unknown> {
  readonly #scalars: ScalarCopies = new ScalarCopies()

  /** @param shared - the writers of shared definitions that other serializers have made */
  constructor(shared: SharedWriters<unknown>) {
    super({ ownReads: false }, shared)
  }

  /** The writer of the whole value, as text. */
  root(node: Node): Writer<string> {
    const copy = node.kind === 'any' ? this.whole(node, (value) => value) : this.whole(node)
    return (value) => nativeText(copy(value), '') ?? refuse('the value has no JSON text', '')
  }

  protected any(value: unknown): unknown {
    return anyValueOrNull(value)
  }

  protected constant(value: unknown): unknown {
    return value
  }

  protected object(node: ObjectNode, isRecord: boolean): Writer<unknown> {
    return objectCopy(this, node, isRecord)
  }

  /** A list of plain scalars is used as it is, any other is copied item by item. */
  protected array(node: ArrayNode): Writer<readonly unknown[]> {
    const source = arraySource(node)
    const isNative = nativeTest(node)
    const { prefix, rest } = this.items(node)
    return (value) => {
      const items = source(value)
      if (isNative !== undefined && isNative(items)) return items
      const copy: unknown[] = []
      let index = 0
      try {
        for (; index < items.length; index++) copy.push((prefix[index] ?? rest)(items[index]))
      } catch (error) {
        throw prefixPointer(error, '', index)
      }
      return copy
    }
  }

  protected scalar(node: ScalarNode): Writer<unknown> {
    return this.#scalars.writer(node)
  }
}

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
function objectCopy(context: CopyInterpreter, node: ObjectNode, isRecord: boolean): Writer<unknown> {
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
  context: CopyInterpreter,
  { name, node, isRequired, defaultText }: PropertyNode,
): Property {
  const fallback: unknown = defaultText === undefined ? undefined : JSON.parse(defaultText)
  const isOwn = isOwnRead(name, context.options)
  return { name, isOwn, write: partialWriter(context, node), isRequired, fallback }
}

/** An untyped value may have no JSON text. */
function partialWriter(context: CopyInterpreter, node: Node): Writer<unknown> {
  return node.kind === 'any' ? anyValue : context.writer(node, false)
}
