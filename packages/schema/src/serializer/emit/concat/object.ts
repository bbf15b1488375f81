/** Text of objects: required properties in one expression, optional ones after a test each. */
import { code, type Code } from '../../../codegen/code.ts'
import { appendEither, type TextEmitter, type TextContext } from './context.ts'
import type { Node, ObjectNode, PropertyNode } from '../../ir.ts'
import { extend, type Literal, type Out } from './out.ts'
import { pointerToken } from '../../../document/pointer.ts'

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
  const { unit } = emitter
  const { writer } = context.scope
  const object = unit.writer.unique('o')
  writer.line(code`const ${object} = ${unit.snippets.object(node, value, context)}`)
  for (const required of node.requiredOnly) {
    const test = code`${unit.snippets.read(object, required)} === undefined`
    writer.line(code`if (${test}) ${unit.snippets.missing(context.pointer + step(required))}`)
  }
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

/** Patterned and additional properties, in the order of the object. */
function emitOthers(
  emitter: TextEmitter,
  node: ObjectNode,
  object: Code,
  context: TextContext,
  progress: Progress,
): void {
  const { unit } = emitter
  const { writer } = context.scope
  needFlag(emitter, context, progress)
  context.out.flush()
  const key = unit.writer.unique('k')
  const value = unit.writer.unique('v')
  writer.line(code`let ${key} = ''`)
  writer.line(code`try {`)
  writer.block(code`for (${key} of Object.keys(${object}))`, () => {
    writer.line(unit.snippets.skipDeclared(key, node))
    writer.line(code`const ${value} = ${object}[${key}]`)
    writer.line(unit.snippets.skipAbsent(value))
    const family = { key, value, context: { ...context, pointer: '', isRecord: false }, progress }
    for (const { pattern, node: inner } of node.patterns) {
      writer.block(code`if (${unit.writer.matches(pattern, key)})`, () => {
        if (inner !== undefined) emitOther(emitter, inner, family)
        writer.line(code`continue`)
      })
    }
    if (node.additional !== undefined) emitOther(emitter, node.additional, family)
  })
  writer.line(code`} ${unit.snippets.catchAt(context.pointer, key)}`)
}

interface Family {
  readonly key: Code
  readonly value: Code
  readonly context: TextContext
  readonly progress: Progress
}

function emitOther(emitter: TextEmitter, node: Node, { key, value, context, progress }: Family): void {
  const { writer } = context.scope
  const { out } = context
  const escaped = code`${emitter.unit.writer.use('escapeText')}(${key})`
  const open = (): void => {
    openWith('"', out, progress)
    out.value(escaped).text('":')
  }
  if (node.kind === 'any') {
    const text = emitter.unit.writer.unique('t')
    writer.line(code`const ${text} = ${emitter.anyText(value, '')}`)
    writer.line(code`if (${text} === undefined) continue`)
    open()
    out.value(text)
  } else {
    open()
    emitter.emit(node, value, context)
  }
  out.flush()
  markStarted(context, progress)
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

function step(key: string): string {
  return `/${pointerToken(key)}`
}
