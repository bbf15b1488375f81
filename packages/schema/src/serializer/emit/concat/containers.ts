/**
 * Text of objects: required properties in one expression, optional ones after a test each. Text of arrays: a list of plain
 * scalars is written natively after a test of its items, any other in a loop.
 */
import { code, type Code } from '../../../codegen/code.ts'
import type { ArrayNode, ObjectNode, PropertyNode } from '../../ir.ts'
import { eachItem, eachOther, nativeItems, readObject, step } from '../containers.ts'
import { appendEither, extend, type Literal, type Out, type TextContext, type TextEmitter } from './out.ts'

/** Progress of the text of one object: what is written before the next key. */
interface Progress {
  /** A property has been written for certain. */
  isStarted: boolean
  /** Variable that is true when a property has been written. */
  flag: Code | undefined
  /** The text before the opening brace, which is written together with it. */
  start: Literal
}

const CLOSE = code`}`

/** Appends the text of an object. */
export function emitObjectText(
  emitter: TextEmitter,
  node: ObjectNode,
  value: Code,
  context: TextContext,
): void {
  const object = readObject(emitter.unit, node, value, context)
  const progress: Progress = { isStarted: false, flag: undefined, start: '' }
  for (const property of node.properties) emitProperty(emitter, property, object, context, progress)
  if (node.patterns.length > 0 || node.additional !== undefined) {
    emitOthers(emitter, node, object, context, progress)
  }
  if (progress.isStarted) context.out.text('}')
  else if (progress.flag === undefined) context.out.text('{}')
  else context.out.pair(progress.flag, '}', extend(progress.start, '{}'))
}

function emitProperty(
  emitter: TextEmitter,
  property: PropertyNode,
  object: Code,
  outer: TextContext,
  progress: Progress,
): void {
  const { unit } = emitter
  const { scope, out } = outer
  const pointer = outer.pointer + step(property.name)
  const value = unit.writer.unique('v')
  const read = unit.snippets.read(object, property.name)
  const isAny = property.node.kind === 'any'
  scope.writer.line(code`const ${value} = ${isAny ? emitter.anyText(read, pointer) : read}`)
  const context: TextContext = { scope, out, pointer, isRecord: false }
  if (!property.isRequired && property.defaultText === undefined) {
    emitOptional(emitter, property, value, context, progress)
    return
  }
  if (property.defaultText === undefined) {
    scope.writer.line(code`if (${value} === undefined) ${unit.snippets.missing(pointer)}`)
  }
  openKey(property.name, out, progress)
  progress.isStarted = true
  if (property.defaultText === undefined) emitValue(emitter, property, value, context)
  else emitWithDefault(emitter, property, value, property.defaultText, context)
}

function emitOptional(
  emitter: TextEmitter,
  property: PropertyNode,
  value: Code,
  context: TextContext,
  progress: Progress,
): void {
  const { scope, out } = context
  needFlag(emitter, context, progress)
  out.flush()
  scope.writer.line(code`if (${value} !== undefined) {`)
  openKey(property.name, out, progress)
  emitValue(emitter, property, value, context)
  out.flush()
  markStarted(context, progress)
  scope.writer.line(CLOSE)
}

/** Appends the value of a property; the text of an untyped one is in a variable already. */
function emitValue(emitter: TextEmitter, { node }: PropertyNode, value: Code, context: TextContext): void {
  if (node.kind === 'any') context.out.value(value)
  else if (node.kind === 'string') emitter.emitString(node, value, context)
  else emitter.emit(node, value, context)
}

function emitWithDefault(
  emitter: TextEmitter,
  property: PropertyNode,
  value: Code,
  text: string,
  context: TextContext,
): void {
  const { node } = property
  const expression = node.kind === 'any' ? undefined : emitter.expression(node, value, context.pointer)
  if (expression !== undefined) {
    appendEither(context.out, code`${value} === undefined`, text, expression)
    return
  }
  const { writer } = context.scope
  const start = context.out.hold()
  writer.block(code`if (${value} === undefined)`, () => {
    context.out.literal(start).text(text).flush()
  })
  writer.block(code`else`, () => {
    context.out.literal(start)
    emitValue(emitter, property, value, context)
    context.out.flush()
  })
}

/** Patterned and additional properties. */
function emitOthers(
  emitter: TextEmitter,
  node: ObjectNode,
  object: Code,
  outer: TextContext,
  progress: Progress,
): void {
  const { unit } = emitter
  const { out, scope } = outer
  const context: TextContext = { ...outer, pointer: '', isRecord: false }
  needFlag(emitter, context, progress)
  out.flush()
  eachOther(unit, node, object, outer, (other, key, value) => {
    const open = (): void => {
      openWith('"', out, progress)
      out.value(code`${unit.writer.use('escapeText')}(${key})`).text('":')
    }
    if (other.kind === 'any') {
      const text = unit.writer.unique('t')
      scope.writer.line(code`const ${text} = ${emitter.anyText(value, '')}`)
      scope.writer.line(code`if (${text} === undefined) continue`)
      open()
      out.value(text)
    } else {
      open()
      emitter.emit(other, value, context)
    }
    out.flush()
    markStarted(context, progress)
  })
}

/** Declares the flag before the first optional property. */
function needFlag(emitter: TextEmitter, { out, scope }: TextContext, progress: Progress): void {
  if (progress.isStarted || progress.flag !== undefined) return
  progress.start = out.hold()
  progress.flag = emitter.unit.writer.unique('n')
  scope.writer.line(code`let ${progress.flag} = false`)
}

function markStarted({ scope }: TextContext, progress: Progress): void {
  if (!progress.isStarted && progress.flag !== undefined) scope.writer.line(code`${progress.flag} = true`)
}

/** Appends a key, with the comma or brace before it. */
function openKey(key: string, out: Out, progress: Progress): void {
  openWith(`${JSON.stringify(key)}:`, out, progress)
}

function openWith(text: string, out: Out, { isStarted, flag, start }: Progress): void {
  if (isStarted) out.text(`,${text}`)
  else if (flag === undefined) out.text(`{${text}`)
  else out.pair(flag, `,${text}`, extend(start, `{${text}`))
}

/** Appends the text of an array. */
export function emitArrayText(
  emitter: TextEmitter,
  node: ArrayNode,
  value: Code,
  context: TextContext,
): void {
  const { unit } = emitter
  const { writer } = context.scope
  const items = unit.writer.unique('a')
  writer.line(code`const ${items} = ${unit.snippets.array(node, value, context.pointer)}`)
  const native = nativeItems(unit.writer, node, items)
  if (native === undefined) return emitItems(emitter, node, items, context)
  context.out.flush()
  writer.block(code`if (${native})`, () => {
    context.out.value(code`${unit.writer.use('nativeText')}(${items}, ${context.pointer})`).flush()
  })
  writer.block(code`else`, () => {
    emitItems(emitter, node, items, context)
    context.out.flush()
  })
}

function emitItems(emitter: TextEmitter, node: ArrayNode, items: Code, context: TextContext): void {
  const { out } = context
  out.text('[').flush()
  eachItem(emitter.unit, node, items, context, (inner, item, index, pointer) => {
    if (typeof index !== 'number') out.pair(code`${index} === 0`, '', ',')
    else if (index > 0) out.text(',')
    emitter.emit(inner, item, { ...context, pointer, isRecord: false })
    out.flush()
  })
  out.text(']')
}
