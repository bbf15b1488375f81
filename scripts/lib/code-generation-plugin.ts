import type { Plugin } from 'vitest/config'

const EVALUATE = /\/packages\/schema\/src\/codegen\/evaluate\.ts$/
const TIERS = /\/packages\/schema\/src\/tiers\.ts$/

const FORBIDDEN = `export function canEvaluate() {
  return false
}
export function evaluate() {
  throw new EvalError('this run of the tests has no generated code')
}
`

/**
 * Runs the tests with one form of functions: `never` removes the only code that generates code, `always` makes every
 * function generated code from its first call on. Without a form, the tests run the code as users do.
 */
export function codeGenerationPlugin(form: string | undefined): Plugin[] {
  if (form === undefined) return []
  if (form !== 'never' && form !== 'always') {
    throw new TypeError(`CLOISTER_CODE_GENERATION must be "never" or "always", not ${JSON.stringify(form)}`)
  }
  return [
    {
      name: `code-generation-${form}`,
      enforce: 'pre',
      transform(code, id) {
        const [file = ''] = id.split('?', 1)
        if (form === 'never' && EVALUATE.test(file)) return { code: FORBIDDEN, map: null }
        if (form === 'always' && TIERS.test(file)) {
          const changed = code.replace(
            'this.#wanted = wanted',
            "this.#wanted = wanted === 'hot' ? 'always' : wanted",
          )
          if (changed === code) throw new Error('tiers.ts does not set #wanted as this plugin expects')
          return { code: changed, map: null }
        }
        return null
      },
    },
  ]
}
