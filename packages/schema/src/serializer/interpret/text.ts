/** Closures that build the text of the value piece by piece. */
import { missing, refuse } from '../../runtime/describe.ts'
import { prefixPointer } from '../../runtime/errors.ts'
import { anyText, escapeText, itemText, nativeText } from '../../runtime/text.ts'
import type { ArrayNode, Node, ObjectNode, PropertyNode, ScalarNode } from '../ir.ts'
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
import { ScalarTexts } from './scalars.ts'
import type { Writer } from './writer.ts'
import { pointerToken } from '../../document/pointer.ts'

/** Makes the closures of one serializer. */
export class TextInterpreter extends Interpreter<string> {
  readonly scalars: ScalarTexts = new ScalarTexts()

  /** The writer of the whole value. */
  root(node: Node): Writer<string> {
    return node.kind === 'any' ? wholeText : this.whole(node)
  }

  protected any(value: unknown): string {
    return itemText(value, '')
  }

  protected constant(value: unknown): string {
    return JSON.stringify(value)
  }

  protected object(node: ObjectNode, isRecord: boolean): Writer<string> {
    return objectText(this, node, isRecord)
  }

  /** Lists of plain scalars are written natively once they are known to be that, others item by item. */
  protected array(node: ArrayNode): Writer<string> {
    const source = arraySource(node)
    const isNative = nativeTest(node)
    const { prefix, rest } = this.items(node)
    return (value) => {
      const items = source(value)
      if (isNative !== undefined && isNative(items)) return nativeText(items, '') ?? 'null'
      let text = '['
      let index = 0
      try {
        for (; index < items.length; index++) {
          const write = prefix[index] ?? rest
          text += index === 0 ? write(items[index]) : `,${write(items[index])}`
        }
      } catch (error) {
        throw prefixPointer(error, '', index)
      }
      return `${text}]`
    }
  }

  protected scalar(node: ScalarNode): Writer<string> {
    return this.scalars.writer(node)
  }
}

function wholeText(value: unknown): string {
  return anyText(value, '') ?? refuse('the value has no JSON text', '')
}

/** Text of a value; undefined when it has none. */
type PartialWriter = (value: unknown) => string | undefined

/** Scalars whose text needs nothing but the value. */
const SCALAR = { none: 0, text: 1, number: 2, boolean: 3 } as const

/** A declared property as closures see it. */
interface Property {
  readonly name: string
  readonly isOwn: boolean
  /** What is before the value when it is the first of the object, or a later one, and what is after it. */
  readonly first: string
  readonly later: string
  readonly end: string
  readonly scalar: (typeof SCALAR)[keyof typeof SCALAR]
  readonly write: PartialWriter
  readonly isRequired: boolean
  /** What is written with its key when there is no value. */
  readonly fallback: string | undefined
}

/** The writer of an object. */
function objectText(context: TextInterpreter, node: ObjectNode, isRecord: boolean): Writer<string> {
  const source = objectSource(node, isRecord)
  const checkRequired = node.requiredOnly.length === 0 ? undefined : requiredTest(node, context.options)
  // A closure here would keep the context.
  const properties: Property[] = []
  for (const property of node.properties) properties.push(propertyOf(context, property))
  const writeOthers = otherWriter(node, (inner) => partialWriter(context, inner))
  return (value) => {
    const object = source(value)
    if (checkRequired !== undefined) checkRequired(object)
    let text = ''
    let at: Property | undefined
    try {
      for (const property of properties) {
        const entry = property.isOwn ? readOwn(object, property.name) : object[property.name]
        at = property
        const written = entry === undefined ? undefined : entryText(property, entry)
        if (written !== undefined) {
          text += (text === '' ? property.first : property.later) + written + property.end
        } else if (property.fallback !== undefined) {
          text += (text === '' ? property.first : property.later) + property.fallback
        } else if (property.isRequired) {
          at = undefined
          missing(`/${pointerToken(property.name)}`)
        }
      }
    } catch (error) {
      throw at === undefined ? error : prefixPointer(error, '', at.name)
    }
    writeOthers?.(object, (key, written) => {
      if (written !== undefined) text += `${text === '' ? '{' : ','}"${escapeText(key)}":${written}`
    })
    return text === '' ? '{}' : `${text}}`
  }
}

/** Most values are scalars of the declared type: they are written here, without a call of a closure. */
function entryText({ scalar, write }: Property, entry: unknown): string | undefined {
  switch (scalar) {
    case SCALAR.text:
      if (typeof entry === 'string') return escapeText(entry)
      break
    case SCALAR.number:
      if (Number.isInteger(entry)) return String(entry)
      break
    case SCALAR.boolean:
      if (typeof entry === 'boolean') return entry ? 'true' : 'false'
      break
    case SCALAR.none:
      break
  }
  return write(entry)
}

function scalarOf({ kind }: Node, isQuoted: boolean): Property['scalar'] {
  switch (kind) {
    case 'string':
      return isQuoted ? SCALAR.text : SCALAR.none
    case 'integer':
    case 'number':
      return SCALAR.number
    case 'boolean':
      return SCALAR.boolean
    default:
      return SCALAR.none
  }
}

function propertyOf(
  context: TextInterpreter,
  { name, node, isRequired, defaultText }: PropertyNode,
): Property {
  const key = `${JSON.stringify(name)}:`
  // A value with a default may be written without quotation marks: they are part of the value then.
  const isQuoted = node.kind === 'string' && defaultText === undefined
  const quote = isQuoted ? '"' : ''
  return {
    name,
    isOwn: isOwnRead(name, context.options),
    first: `{${key}${quote}`,
    later: `,${key}${quote}`,
    end: quote,
    scalar: scalarOf(node, isQuoted && node.format === 'plain'),
    write: isQuoted ? context.scalars.content(node) : partialWriter(context, node),
    isRequired,
    fallback: defaultText,
  }
}

/** An untyped value may have no text. */
function partialWriter(context: TextInterpreter, node: Node): PartialWriter {
  return node.kind === 'any' ? (value) => anyText(value, '') : context.writer(node, false)
}
