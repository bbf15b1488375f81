/** Text of objects. */
import { missing } from '../../../runtime/describe.ts'
import { prefixPointer } from '../../../runtime/errors.ts'
import { anyText, escapeText } from '../../../runtime/text.ts'
import { pointerToken } from '../../../document/pointer.ts'
import type { Node, ObjectNode, PropertyNode } from '../../ir.ts'
import { isOwnRead, objectSource, otherWriter, readOwn, requiredTest } from '../read.ts'
import type { ScalarTexts } from '../scalars.ts'
import type { Writer, WriterContext } from '../writer.ts'

/** What the writers of text share. */
export interface TextContext extends WriterContext<string> {
  readonly scalars: ScalarTexts
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
export function objectText(context: TextContext, node: ObjectNode, isRecord: boolean): Writer<string> {
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

function propertyOf(context: TextContext, { name, node, isRequired, defaultText }: PropertyNode): Property {
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
function partialWriter(context: TextContext, node: Node): PartialWriter {
  return node.kind === 'any' ? (value) => anyText(value, '') : context.writer(node, false)
}
