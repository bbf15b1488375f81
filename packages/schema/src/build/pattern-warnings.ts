import type { PatternContext, SlowPattern } from '../check/patterns.ts'
import { schemaMessage, type SchemaWarning } from '../errors.ts'
import type { SchemaEngineOptions } from '../options.ts'
import { MAX_TEXT_LENGTH } from '../regexp/compile.ts'
import { emitWarning } from '../warnings.ts'
import type { SchemaUse } from './parts.ts'

/** Warns of each slow expression once per engine. */
export class PatternWarnings {
  readonly #longestText: Readonly<Record<string, number>>
  readonly #onWarning: (warning: SchemaWarning) => void
  readonly #maxLengthGuards: boolean
  readonly #warned: Set<string> = new Set()

  /** @param maxLengthGuards - whether `maxLength` keeps a value from the expressions beside it */
  constructor({ longestText = {}, onWarning = warnProcess }: SchemaEngineOptions, maxLengthGuards: boolean) {
    this.#longestText = longestText
    this.#onWarning = onWarning
    this.#maxLengthGuards = maxLengthGuards
  }

  /** Returns what the check of expressions needs for the schema of a request part. */
  contextOf({ part, route }: SchemaUse): PatternContext {
    return {
      limits: {
        longest: Object.hasOwn(this.#longestText, part)
          ? (this.#longestText[part] ?? MAX_TEXT_LENGTH)
          : MAX_TEXT_LENGTH,
        maxLengthGuards: this.#maxLengthGuards,
      },
      report: ({ pattern, reason, pointer, schemaId }: SlowPattern) => {
        if (this.#warned.has(pattern)) return
        this.#warned.add(pattern)
        const message = schemaMessage({ reason, pointer, schemaId, part, route })
        this.#onWarning({ code: 'PATTERN_SLOW', message, pattern })
      },
    }
  }
}

function warnProcess({ message, code }: SchemaWarning): void {
  emitWarning(message, `SCHEMA_${code}`)
}
