import { isObject } from '../../../guards.ts'
import { Decisions } from '../../../runtime/decisions.ts'
import { Descent } from '../../../runtime/descent.ts'
import type { Accept } from '../../accept.ts'
import { EditLog } from './edit-log.ts'
import { FITS, type Check, type Verdict } from './verdict.ts'

/** The acceptor of a check that counts nothing. */
export function acceptorOf(check: Check): Accept {
  // One log is enough, unless a getter of a value calls the acceptor again while it runs.
  let spare: EditLog | undefined
  return (data, holder) => {
    const log = spare ?? new EditLog()
    spare = undefined
    const fits = check(data, log, holder, 'value') === FITS
    if (log.length > 0) {
      if (fits) log.replay()
      log.clear()
    }
    spare = log
    return fits
  }
}

/** What one walk over a value counts and keeps. */
class WalkState {
  readonly descent: Descent = new Descent()
  /** What checks have decided about objects and arrays. */
  readonly decisions: Decisions<Verdict> = new Decisions()
  /** Edits of the parts that were decided by themselves. */
  edits: EditLog[] = []

  begin(): void {
    this.decisions.begin()
    if (this.edits.length > 0) this.edits = []
  }
}

/** The walks of one acceptor whose definitions refer to themselves, or look at values that others look at, too. */
export class AcceptorWalk {
  #state: WalkState = new WalkState()
  #isRunning: boolean = false

  /** The acceptor of a check. A getter of a value may call it again while it runs. */
  acceptorOf(check: Check): Accept {
    return (data, holder) => {
      const outer = this.#state
      const isNested = this.#isRunning
      if (isNested) this.#state = new WalkState()
      this.#isRunning = true
      try {
        return accept(this.#state, check, data, holder)
      } finally {
        this.#state = outer
        this.#isRunning = isNested
      }
    }
  }

  /**
   * The check of a definition, with its level counted.
   * @param height - how many schemas are open from its beginning to where it refers to itself
   */
  counted(check: Check, height: number, edits: boolean): Check {
    return (value, log, parent, key) => {
      const state = this.#state
      const { descent } = state
      const isFree = !descent.isDeep && !descent.isFull && (edits || state.decisions.isFree())
      if (!isFree) {
        if (isObject(value)) return decided(state, { check, height, edits }, value, parent, key)
        descent.stopEndless()
      }
      descent.open += height
      descent.level += 1
      const verdict = check(value, log, parent, key)
      descent.open -= height
      descent.level -= 1
      return verdict
    }
  }
}

/** A check whose level is counted. */
interface Counted {
  readonly check: Check
  readonly height: number
  readonly edits: boolean
}

/** What a check has decided about a value, or decides now. */
function decided(
  state: WalkState,
  { check, height, edits }: Counted,
  value: object,
  parent: unknown,
  key: string | number,
): Verdict {
  const { descent } = state
  const decisions = state.decisions.of(check)
  const known = decisions.get(value)
  if (known !== undefined) {
    descent.found()
    return known
  }
  const decide = (): Verdict => {
    const log = new EditLog()
    descent.open += height
    descent.level += 1
    const verdict = check(value, log, parent, key)
    descent.open -= height
    descent.level -= 1
    decisions.set(value, verdict)
    if (edits && log.length > 0) state.edits.push(log)
    return verdict
  }
  return descent.isFull ? descent.pause(decide) : decide()
}

function accept(state: WalkState, check: Check, data: unknown, holder: unknown): boolean {
  state.begin()
  let log = new EditLog()
  const verdict = state.descent.run(() => {
    log = new EditLog()
    return check(data, log, holder, 'value')
  })
  if (verdict !== FITS) return false
  for (const edits of state.edits) edits.replay()
  log.replay()
  return true
}
