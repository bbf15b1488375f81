import { code } from '../codegen/code.ts'
import { isSchemaObject } from '../guards.ts'
import { branchBlock } from '../walk/code.ts'
import { fitsLeaf } from '../walk/leaf.ts'
import { ASK, UNION, YES } from '../walk/look.ts'
import { keyword, type Keyword, type ObjectData } from '../walk/part.ts'

/** The keyword `propertyNames`. For an object without properties, Ajv uses its verdict on the previous object. */
export const propertyNames: Keyword<ObjectData> = keyword({
  names: ['propertyNames'],
  keepsVerdict: true,
  seesEdits: () => true,
  read(node) {
    const names = node.at('propertyNames')
    if (names === undefined) return undefined
    const { schema } = names.location
    return {
      names,
      leaf: node.context.leafOf(isSchemaObject(schema) ? { type: 'string', ...schema } : schema),
    }
  },
  below: ({ names }) => [names],
  message: () => 'property name must be valid',
  fits({ read: { names, leaf } }, data, look) {
    let isEmpty = true
    for (const name in data) {
      isEmpty = false
      if (fitsLeaf(leaf.kind, leaf, name)) continue
      const verdict = names.plan.lookAsBranch(name, look)
      if (verdict !== YES) return verdict
    }
    return isEmpty && look.use === UNION ? ASK : YES
  },
  apply(part, data, value, mode, frame) {
    let fits = true
    let verdict = frame.lastVerdict(part)
    for (const propertyName in data) {
      verdict = part.read.names.apply(value.name(propertyName), mode.forName(propertyName), frame)
      if (verdict) continue
      frame.failBehind(part, { propertyName }, value, mode)
      fits = false
      if (!mode.isThorough) break
    }
    return frame.outcomeOf(part, fits, verdict, mode)
  },
  emit({ read: { names } }, { value }, block) {
    const { writer, reject, defer } = block
    const [key, isEmpty] = [writer.unique('key'), writer.unique('isEmpty')]
    writer.line(code`var ${isEmpty} = true`)
    writer.block(code`for (var ${key} in ${value})`, () => {
      writer.line(code`${isEmpty} = false`)
      names.emit({ value: key }, branchBlock(names, block, reject))
    })
    if (block.use === UNION) writer.line(code`if (${isEmpty}) ${defer}`)
  },
})
