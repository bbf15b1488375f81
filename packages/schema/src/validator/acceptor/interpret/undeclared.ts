import { DELETED } from '../../../runtime/replay.ts'
import type { OthersTest, UndeclaredNode } from '../ir.ts'
import type { EditLog } from './edit-log.ts'
import { DEFERRED, FITS, REJECTED, type Check, type Step, type Verdict } from './verdict.ts'

/** An object of the data. */
export type Data = Readonly<Record<string, unknown>>

/** What becomes of undeclared properties. */
export function othersStep(node: UndeclaredNode): Step<Data> {
  const isDeclared = declaredTest(node)
  const effect = EFFECTS[node.effect]
  return (object, log) => {
    for (const key in object) {
      if (isDeclared(key)) continue
      const verdict = effect(object, key, log)
      if (verdict !== FITS) return verdict
    }
    return FITS
  }
}

/** The checks of undeclared properties. */
export function additionalStep(test: Extract<OthersTest, { kind: 'additional' }>, check: Check): Step<Data> {
  const isDeclared = declaredTest(test)
  return (object, log) => {
    for (const key in object) {
      if (isDeclared(key)) continue
      const verdict = check(object[key], log, object, key)
      if (verdict !== FITS) return verdict
    }
    return FITS
  }
}

type Effect = (object: Data, key: string, log: EditLog) => Verdict

const EFFECTS: Readonly<Record<UndeclaredNode['effect'], Effect>> = {
  reject: () => REJECTED,
  defer: () => DEFERRED,
  remove: (object, key, log) => {
    log.push(object, key, DELETED)
    return FITS
  },
}

/** Whether a declaration covers a key. */
function declaredTest({
  declared,
  patterns,
}: Pick<UndeclaredNode, 'declared' | 'patterns'>): (key: string) => boolean {
  let names: ReadonlySet<string> | undefined
  return (key) => {
    names ??= new Set(declared)
    if (names.has(key)) return true
    for (const pattern of patterns) if (pattern.test(key)) return true
    return false
  }
}
