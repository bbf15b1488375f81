// Generates the texts of Fastify's type names from the rows of their table.
import { ERROR, INSTANCE, PARAMETERS, REPLY, REQUEST, ROUTE } from './fastify-names.mjs'

/** The forms of request hooks, by their name in the table of hooks: the arguments, and the type of `done`. */
const FORMS = /** @type {const} */ ({
  request: ['request: Request, reply: Reply', 'Done'],
  body: ['request: Request, reply: Reply, payload: BodyStream', 'DoneWith<BodyStream>'],
  payload: ['request: Request, reply: Reply, payload: Payload', 'DoneWith<Payload>'],
  error: ['request: Request, reply: Reply, error: TError', '() => void'],
  abort: ['request: Request', 'Done'],
})

/**
 * Returns the aliases for a request hook.
 *
 * @param {string} name @param {keyof typeof FORMS} form
 * @returns {[name: string, row: import('./fastify-names.mjs').Row][]}
 */
export function requestHook(name, form) {
  const parameters = form === 'error' ? ERROR : form === 'payload' ? `Payload = unknown, ${ROUTE}` : ROUTE
  const [given, done] = FORMS[form]
  const args = given
    .replace('Request', REQUEST)
    .replace('Reply', REPLY)
    .split(/, (?=reply|payload|error)/)
  const lines = [`this: ${INSTANCE}`, ...args]
  const type = (/** @type {readonly string[]} */ all, /** @type {string} */ result) =>
    `(\n${all.map((line) => `  ${line},\n`).join('')}) => ${result}`
  return [
    [`${name}HookHandler`, [parameters, type([...lines, `done: ${done}`], 'void'), `A hook \`${name}\`.`]],
    [
      `${name}AsyncHookHandler`,
      [parameters, type(lines, 'Promise<unknown>'), `A hook \`${name}\` that is asynchronous.`],
    ],
  ]
}

/**
 * Returns the options of a route, which plugins augment. Hooks are methods in `LooseHooks`: the compiler then
 * compares their parameters in both directions, so that the options of a route in a context can narrow them.
 *
 * @param {readonly (readonly [name: string, form: string])[]} hooks
 */
export function routeInterfaces(hooks) {
  const methods = Object.entries(FORMS).map(
    ([form, [args, done]]) =>
      `  ${form}(this: Instance, ${args.replace('TError', 'CaughtError').replace(': Payload', ': unknown')}, done: ${done.replace('<Payload>', '<unknown>')}): unknown`,
  )
  const loose = `LooseHooks<${REQUEST}, ${REPLY}, FastifyInstance>`
  const members = hooks.map(
    ([name, form]) => `  /** Hooks \`${name}\` of the route. */\n  ${name}?: OneOrMany<${loose}['${form}']>`,
  )
  const head = (/** @type {string} */ name) => `export interface ${name}<\n${lines(ROUTE)}\n>`
  return `interface LooseHooks<Request, Reply, Instance> {
${methods.join('\n')}
  onError(this: Instance, error: CaughtError, request: Request, reply: Reply): unknown
  handler(this: Instance, request: Request, reply: Reply): unknown
}

declare const unused: unique symbol

/** Options of a route without its method, path and handler, and what plugins add to them. */
${head('RouteShorthandOptions')} extends PlainRouteOptions {
  /** The schemas of the route. */
  schema?: SchemaCompiler
  /** Data of the route for plugins and handlers. */
  config?: FastifyContextConfig & ContextConfig
${members.join('\n')}
  /** Handles the errors of the route. */
  errorHandler?: ${loose}['onError']
  /** Exists in types alone. */
  readonly [unused]?: [TypeProvider, Logger]
}

/** Options of a route in full, and what plugins add to them. */
${head('RouteOptions')} extends RouteShorthandOptions<${ROUTE}> {
  /** The method or methods. */
  method: HttpMethod | HttpMethod[]
  /** The path. */
  url: string
  /** Handles the requests of the route. */
  handler: ${loose}['handler']
}

/** Options of a route with its handler among them. */
${head('RouteShorthandOptionsWithHandler')} extends RouteShorthandOptions<${ROUTE}> {
  /** Handles the requests of the route. */
  handler: RouteHandlerMethod<${ROUTE}>
}
`
}

/** Returns type parameters as lines. @param {string} given names of parameters, or parameters in full */
function lines(given) {
  return parametersOf(given)
    .map((one) => `  ${one},`)
    .join('\n')
}

/** @param {string} given */
function parametersOf(given) {
  return given
    .split(/, (?![^<]*>)/)
    .filter((one) => one !== '')
    .map((one) => Reflect.get(PARAMETERS, one) ?? one)
}

/**
 * Returns the text of an alias.
 *
 * @param {string} name @param {import('./fastify-names.mjs').Row} row
 */
export function aliasText(name, [given, type, doc]) {
  const all = parametersOf(given)
  const named = all.map((one, index) => {
    const id = /^\w+/.exec(one)?.[0] ?? ''
    const others = [...all.slice(index + 1), type, one.slice(id.length)].join(' ')
    return new RegExp(`(?<![.\\w])${id}\\b(?! =>)`).test(others) ? one : `_${one}`
  })
  const head =
    named.length === 0
      ? name
      : named.length === 1
        ? `${name}<${named[0]}>`
        : `${name}<\n${named.map((one) => `  ${one},`).join('\n')}\n>`
  return `/** ${doc} */\nexport type ${head} = ${type}\n`
}
