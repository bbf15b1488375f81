/** The closures of objects. */
import { missing } from '../../runtime/describe.ts'
import { prefixPointer } from '../../runtime/errors.ts'
import { putProperty } from '../../runtime/projection.ts'
import { escapeText } from '../../runtime/text.ts'
import type { Closures, Writer } from './closures.ts'
import type { Node } from './node.ts'
import type { ObjectNode, PropertyNode } from './object.ts'
import { isOwnRead, readOwn, step } from './reads.ts'
import { BooleanNode, IntegerNode, NumberNode } from './scalars.ts'
import { StringNode } from './string.ts'

/** An object that is read. */
type Source = Readonly<Record<string, unknown>>

/** A property that is read. */
interface Read {
  readonly name: string
  readonly isOwn: boolean
}

function readProperty(object: Source, { name, isOwn }: Read): unknown {
  return isOwn ? readOwn(object, name) : object[name]
}

/** The properties that must be there though no schema declares them. */
function requiredReads({ parts }: ObjectNode, ownReads: boolean): readonly Read[] {
  return parts.requiredOnly.map((name) => ({ name, isOwn: isOwnRead(name, ownReads) }))
}

/** A declared property as closures see it. */
interface Property<Result> extends Read {
  readonly write: Writer<Result | undefined>
  readonly isRequired: boolean
  /** The text for a missing value; undefined omits the property. */
  readonly fallback: Result | undefined
}

/** Scalars whose text needs nothing but the value. */
const SCALAR = { none: 0, text: 1, number: 2, boolean: 3 } as const

interface TextProperty extends Property<string> {
  /** The text before the value if it is the first of the object, or a later one, and the text after it. */
  readonly first: string
  readonly later: string
  readonly end: string
  readonly scalar: (typeof SCALAR)[keyof typeof SCALAR]
}

/** The closure that writes the text of an object. */
export function objectText(closures: Closures<string>, node: ObjectNode, isRecord: boolean): Writer<string> {
  const read = node.reader(isRecord)
  const required = requiredReads(node, closures.ownReads)
  // A closure here would keep `closures` in memory.
  const properties: TextProperty[] = []
  for (const property of node.parts.properties) properties.push(textProperty(closures, property))
  const addOthers = otherWriter(node, closures, addText)
  return (value) => {
    const object = read(value)
    for (const other of required) if (readProperty(object, other) === undefined) missing(step(other.name))
    let text = ''
    let at: Property<string> | undefined
    try {
      for (const property of properties) {
        at = property
        const given = entryText(object, property) ?? property.fallback
        if (given !== undefined) {
          text += (text === '' ? property.first : property.later) + given + property.end
        } else if (property.isRequired) {
          at = undefined
          missing(step(property.name))
        }
      }
    } catch (error) {
      throw at === undefined ? error : prefixPointer(error, '', at.name)
    }
    if (addOthers !== undefined) text = addOthers(object, text)
    return text === '' ? '{}' : `${text}}`
  }
}

function addText(text: string, key: string, written: string | undefined): string {
  return written === undefined ? text : `${text}${text === '' ? '{' : ','}"${escapeText(key)}":${written}`
}

/** The closure that copies an object; properties that are `undefined` are left out by `JSON.stringify`. */
export function objectCopy(
  closures: Closures<unknown>,
  node: ObjectNode,
  isRecord: boolean,
): Writer<unknown> {
  const read = node.reader(isRecord)
  const required = requiredReads(node, closures.ownReads)
  // A closure here would keep `closures` in memory.
  const properties: Property<unknown>[] = []
  for (const property of node.parts.properties) properties.push(copyProperty(closures, property))
  const isSafe = !properties.some(({ name }) => name === '__proto__')
  const addOthers = otherWriter(node, closures, addCopy)
  return (value) => {
    const object = read(value)
    for (const other of required) if (readProperty(object, other) === undefined) missing(step(other.name))
    const copy: Record<string, unknown> = {}
    let at: Property<unknown> | undefined
    try {
      for (const property of properties) {
        const { name } = property
        const entry = readProperty(object, property)
        at = property
        const written = entry === undefined ? undefined : property.write(entry)
        const made = written === undefined ? property.fallback : written
        if (made === undefined && property.isRequired) {
          at = undefined
          missing(step(name))
        }
        if (isSafe) copy[name] = made
        else putProperty(copy, name, made)
      }
    } catch (error) {
      throw at === undefined ? error : prefixPointer(error, '', at.name)
    }
    return addOthers === undefined ? copy : addOthers(object, copy)
  }
}

function addCopy(copy: Record<string, unknown>, key: string, made: unknown): Record<string, unknown> {
  putProperty(copy, key, made)
  return copy
}

/**
 * Reads a property, and writes it if it is there. Most values are scalars of the declared type, which are written here
 * without a call of a closure.
 */
function entryText(object: Source, { name, isOwn, scalar, write }: TextProperty): string | undefined {
  const entry = isOwn ? readOwn(object, name) : object[name]
  if (entry === undefined) return undefined
  if (scalar === SCALAR.text && typeof entry === 'string') return escapeText(entry)
  if (scalar === SCALAR.number && Number.isInteger(entry)) return String(entry)
  if (scalar === SCALAR.boolean && typeof entry === 'boolean') return entry ? 'true' : 'false'
  return write(entry)
}

function scalarOf(node: Node, isQuoted: boolean): TextProperty['scalar'] {
  if (node instanceof StringNode) return isQuoted && node.format === 'plain' ? SCALAR.text : SCALAR.none
  if (node instanceof IntegerNode || node instanceof NumberNode) return SCALAR.number
  return node instanceof BooleanNode ? SCALAR.boolean : SCALAR.none
}

function textProperty(
  closures: Closures<string>,
  { name, node, isRequired, defaultText: fallback }: PropertyNode,
): TextProperty {
  const key = `${JSON.stringify(name)}:`
  // A value with a default may be written without quotation marks: they are part of the value then.
  const quoted = node instanceof StringNode && fallback === undefined ? node : undefined
  const quote = quoted === undefined ? '' : '"'
  return {
    name,
    isOwn: isOwnRead(name, closures.ownReads),
    first: `{${key}${quote}`,
    later: `,${key}${quote}`,
    end: quote,
    scalar: scalarOf(node, quoted !== undefined),
    write: quoted?.contentWriter(closures) ?? closures.property(node),
    isRequired,
    fallback,
  }
}

function copyProperty(
  closures: Closures<unknown>,
  { name, node, isRequired, defaultText }: PropertyNode,
): Property<unknown> {
  const fallback: unknown = defaultText === undefined ? undefined : JSON.parse(defaultText)
  const isOwn = isOwnRead(name, closures.ownReads)
  return { name, isOwn, write: closures.property(node), isRequired, fallback }
}

/**
 * Adds patterned and additional properties, in the order of the object; undefined if all are omitted.
 * @param add - adds the result for a property to that for the object
 */
function otherWriter<Result, Made>(
  { isOpen, parts: { properties, patterns, additional } }: ObjectNode,
  closures: Closures<Result>,
  add: (made: Made, key: string, written: Result | undefined) => Made,
): ((object: Source, start: Made) => Made) | undefined {
  if (!isOpen) return undefined
  const declared = new Set(properties.map(({ name }) => name))
  const families = patterns.map(({ pattern, node }) => ({ pattern, write: node && closures.property(node) }))
  const others = additional && closures.property(additional)
  return (object, start) => {
    let made = start
    let key = ''
    try {
      for (key of Object.keys(object)) {
        if (declared.has(key)) continue
        const value = object[key]
        if (value === undefined || typeof value === 'function' || typeof value === 'symbol') continue
        let write = others
        for (const family of families) {
          if (!family.pattern.test(key)) continue
          ;({ write } = family)
          break
        }
        if (write !== undefined) made = add(made, key, write(value))
      }
    } catch (error) {
      throw prefixPointer(error, '', key)
    }
    return made
  }
}
