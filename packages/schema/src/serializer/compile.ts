/** Serializers as generated code. */
import { code, name, type Code } from '../codegen/code.ts'
import type { SerializerUnits } from '../ahead/built.ts'
import { compile } from '../codegen/compile.ts'
import type { CompilationUnit } from '../codegen/reference.ts'
import { FAST_NATIVE_V8, v8Major } from '../runtime/v8.ts'
import { assemble, type Serializer, type SerializerSettings, type SharedParts } from './assemble.ts'
import { COSTLY_CALL_V8, isRecursive, selectBackEnd } from './select.ts'
import { Out } from './emit/out.ts'
import { Unit, type FunctionScope, type UnitForm } from './emit/unit.ts'
import { ANY } from './nodes/any.ts'
import { NO_TEXT, writeText } from './nodes/closures.ts'
import type { Node } from './nodes/node.ts'

/** Code that builds the text piece by piece. */
export const TEXT: UnitForm = {
  name: 'text',
  ownReads: false,
  preallocates: false,
  emitRoot: emitText,
  emitBody: emitText,
}

/** The same where `Object.prototype` is polluted. */
export const OWN_TEXT: UnitForm = { ...TEXT, name: 'text of own properties', ownReads: true }

/** Code that builds a clean copy of the value, for one native `JSON.stringify`. */
export const COPY: UnitForm = {
  name: 'copy',
  ownReads: false,
  preallocates: v8Major() >= FAST_NATIVE_V8,
  emitRoot: emitTextOfCopy,
  emitBody: emitCopy,
}

function emitText(unit: Unit, node: Node, scope: FunctionScope, value: Code): void {
  const { writer } = scope
  const text = name('s')
  const out = new Out(writer, text)
  writer.line(code`let ${text} = ''`)
  if (node === ANY) {
    writer.line(code`const any = ${unit.anyText(value, '')}`)
    writer.line(code`if (any === undefined) ${unit.refuse(NO_TEXT, '')}`)
    writer.line(code`return any`)
    return
  }
  node.appendInline(value, { unit, scope, out, pointer: '', isRecord: false })
  out.flush()
  writer.line(code`return ${text}`)
}

function emitTextOfCopy(unit: Unit, node: Node, scope: FunctionScope, value: Code): void {
  const { writer } = scope
  const stringify = unit.writer.use('nativeText')
  const copy = node === ANY ? value : node.copy(value, { unit, scope, pointer: '', isRecord: false })
  writer.line(code`const text = ${stringify}(${copy}, '')`)
  writer.line(code`if (text === undefined) ${unit.refuse(NO_TEXT, '')}`)
  writer.line(code`return text`)
}

function emitCopy(unit: Unit, node: Node, scope: FunctionScope, value: Code): void {
  const copy = node.copyInline(value, { unit, scope, pointer: '', isRecord: false })
  scope.writer.line(code`return ${copy}`)
}

/** A serializer as generated code. */
export function compileSerializer(
  root: Node,
  shared: SharedParts,
  settings: SerializerSettings = {},
): Serializer {
  return assemble(root, settings, (node) => {
    const compiled = (form: UnitForm): Serializer =>
      compile<Serializer>(new Unit(shared.functions, form).serialize(node)).value
    return {
      text: (ownReads) => compiled(ownReads ? OWN_TEXT : TEXT),
      copy: () => compiled(COPY),
      deepText: () => writeText(node, true, shared.ownTexts),
    }
  })
}

/** Writes a serializer as code that is compiled in another process, whatever its version of V8. */
export function writeSerializer(root: Node, shared: SharedParts): SerializerUnits {
  const isCopied = (v8: number): boolean => selectBackEnd(root, v8) === 'project'
  const copies = [isCopied(COSTLY_CALL_V8), isCopied(FAST_NATIVE_V8)] as const
  const write = (form: UnitForm): CompilationUnit => new Unit(shared.functions, form).serialize(root)
  return {
    copies,
    text: write(TEXT),
    own: write(OWN_TEXT),
    copy: copies.includes(true) ? write(COPY_AHEAD) : null,
    isRecursive: isRecursive(root),
  }
}

/** Copies are made on V8 12 and later only. */
const COPY_AHEAD: UnitForm = { ...COPY, name: 'copy made ahead', preallocates: true }
