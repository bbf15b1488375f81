import { compile } from '../codegen/compile.ts'
import { FAST_NATIVE_V8, v8Major } from '../runtime/v8.ts'
import {
  assemble,
  interpretText,
  type Serializer,
  type SerializerSettings,
  type SharedParts,
} from './assemble.ts'
import { UnitWriter } from './emit/compile.ts'
import type { Node } from './ir.ts'

/** A serializer as generated code. */
export function compileSerializer(
  root: Node,
  shared: SharedParts,
  settings: SerializerSettings = {},
): Serializer {
  return assemble(root, settings, (node) => {
    const writer = new UnitWriter(shared.functions)
    return {
      text: (options) => compile<Serializer>(writer.concat(node, options)).value,
      copy: () => compile<Serializer>(writer.project(node, v8Major() >= FAST_NATIVE_V8)).value,
      deepText: () => interpretText(node, shared, { ownReads: true }),
    }
  })
}
