/** Serializers as generated code. */
import { code, name, type Code } from '../codegen/code.ts'
import { compile } from '../codegen/compile.ts'
import { FAST_NATIVE_V8, v8Major } from '../runtime/v8.ts'
import {
  assemble,
  interpretText,
  type Serializer,
  type SerializerSettings,
  type SharedParts,
} from './assemble.ts'
import { Out } from './emit/out.ts'
import { Unit, type FunctionScope, type SharedFunctions } from './emit/unit.ts'
import { ANY } from './nodes/any.ts'
import type { Node } from './nodes/node.ts'

const NO_TEXT = 'the value has no JSON text'

/** Code that builds the text piece by piece. */
export class TextUnit extends Unit {
  override readonly ownReads: boolean

  constructor(shared: SharedFunctions, ownReads: boolean) {
    super(shared)
    this.ownReads = ownReads
  }

  protected get form(): string {
    return this.ownReads ? 'text of own properties' : 'text'
  }

  protected another(): TextUnit {
    return new TextUnit(this.shared, this.ownReads)
  }

  protected emitRoot(root: Node, scope: FunctionScope, payload: Code): void {
    this.emitBody(root, scope, payload)
  }

  protected emitBody(node: Node, scope: FunctionScope, value: Code): void {
    const { writer } = scope
    const text = name('s')
    const out = new Out(writer, text)
    writer.line(code`let ${text} = ''`)
    if (node === ANY) {
      writer.line(code`const any = ${this.anyText(value, '')}`)
      writer.line(code`if (any === undefined) ${this.refuse(NO_TEXT, '')}`)
      writer.line(code`return any`)
      return
    }
    node.appendInline(value, { unit: this, scope, out, pointer: '', isRecord: false })
    out.flush()
    writer.line(code`return ${text}`)
  }
}

/** Code that builds a clean copy of the value, for one native `JSON.stringify`. */
export class CopyUnit extends Unit {
  override readonly preallocates: boolean

  constructor(shared: SharedFunctions, preallocates: boolean) {
    super(shared)
    this.preallocates = preallocates
  }

  protected get form(): string {
    return 'copy'
  }

  protected another(): CopyUnit {
    return new CopyUnit(this.shared, this.preallocates)
  }

  protected emitRoot(root: Node, scope: FunctionScope, payload: Code): void {
    const { writer } = scope
    const stringify = this.writer.use('nativeText')
    const copy =
      root === ANY ? payload : root.copy(payload, { unit: this, scope, pointer: '', isRecord: false })
    writer.line(code`const text = ${stringify}(${copy}, '')`)
    writer.line(code`if (text === undefined) ${this.refuse(NO_TEXT, '')}`)
    writer.line(code`return text`)
  }

  protected emitBody(node: Node, scope: FunctionScope, value: Code): void {
    const copy = node.copyInline(value, { unit: this, scope, pointer: '', isRecord: false })
    scope.writer.line(code`return ${copy}`)
  }
}

/** A serializer as generated code. */
export function compileSerializer(
  root: Node,
  shared: SharedParts,
  settings: SerializerSettings = {},
): Serializer {
  return assemble(root, settings, (node) => ({
    text: (ownReads) => compile<Serializer>(new TextUnit(shared.functions, ownReads).serialize(node)).value,
    copy: () => {
      const unit = new CopyUnit(shared.functions, v8Major() >= FAST_NATIVE_V8)
      return compile<Serializer>(unit.serialize(node)).value
    },
    deepText: () => interpretText(node, shared, true),
  }))
}
