// The app of the other measurements behind five guards, with handlers that read their values; before that, the same with
// neither, and with five decorations that a hook sets. An object type without a name is the dearest value of a guard.
// The routes are statements: a chain of 1,000 calls is too deep for compilers before TypeScript 7.
import { frameworks, registering } from './apps.mjs'

const NAMES = ['one', 'two', 'three', 'four', 'five']
const [plain] = frameworks
if (plain === undefined) throw new Error('no framework')
const { head, route } = plain

const declarations = NAMES.map(
  (name) =>
    `interface Of_${name} { readonly ${name}: string }\nconst no_${name} = (): Of_${name} | null => null\n`,
)
const assignments = NAMES.map((name) => `request.${name} = { ${name}: '' }`).join('; ')

/** @param {(name: string) => string} call */
const chained = (call) => `cloister()${NAMES.map(call).join('')}`

/**
 * @param {string} name
 * @param {string} make
 * @param {(name: string) => string} [read] what a handler reads
 * @returns {import('./apps.mjs').Framework}
 */
const subject = (name, make, read) => ({
  name,
  head: [head, ...declarations].join(''),
  route: (i) =>
    read === undefined
      ? route(i)
      : route(i).replace(
          'async (request, reply) => {',
          (start) => `${start}\n  void [${NAMES.map(read).join(', ')}]`,
        ),
  app: (calls, style) =>
    style === 'plugins'
      ? registering(make)(calls, style)
      : `export const app = ${make}\n${calls.map((call) => `app.post(${call})`).join('\n')}\n`,
})

/** @type {readonly import('./apps.mjs').Framework[]} */
export const guardedApps = [
  subject('neither', 'cloister()'),
  subject(
    'five decorations and a hook',
    `${chained((name) => `.decorateRequest('${name}', no_${name}())`)}.addHook('onRequest', async (request) => { ${assignments} })`,
    (name) => `request.${name}?.${name}`,
  ),
  subject(
    'five guards, declared objects',
    chained((name) => `.addGuard('${name}', (): Of_${name} => ({ ${name}: '' }))`),
    (name) => `request.${name}.${name}`,
  ),
  subject(
    'five guards, objects',
    chained((name) => `.addGuard('${name}', () => ({ ${name}: '' }))`),
    (name) => `request.${name}.${name}`,
  ),
]
