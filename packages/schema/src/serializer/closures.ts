import { assemble, type Serializer, type SerializerSettings, type SharedParts } from './assemble.ts'
import { CopyInterpreter } from './interpret/copy/copy.ts'
import { TextInterpreter } from './interpret/text/text.ts'
import type { ReadOptions } from './interpret/writer.ts'
import type { Node } from './ir.ts'

/** A serializer as closures. */
export function interpretSerializer(
  root: Node,
  shared: SharedParts,
  settings: SerializerSettings = {},
): Serializer {
  return assemble(root, settings, (node) => ({
    text: (options) => interpretText(node, shared, options),
    copy: () => new CopyInterpreter(shared.copies).root(node),
  }))
}

/** The text of a value as closures, without a choice of back end. */
export function interpretText(node: Node, shared: SharedParts, options: ReadOptions): Serializer {
  return new TextInterpreter(options, options.ownReads ? shared.ownTexts : shared.texts).root(node)
}
