// Cases 6 to 9 and 15: what the validator makes of a valid body. The baseline of the interface decides these, and Cloister
// does not change it; each has a setting.
import { Ajv } from 'ajv'
import type { RouteOptions } from '../harness/app-shape.ts'
import { sendSocket } from '../harness/send.ts'
import { messageOf, peers } from '../outcome-case.ts'
import type { OutcomeCase, CreateApp } from '../outcome-case.ts'

const OBJECT = { type: 'object' }
const closed = (properties: object, required: readonly string[] = []): object => ({
  ...OBJECT,
  additionalProperties: false,
  required,
  properties,
})

interface Question {
  readonly body: object
  readonly sent: object
  readonly options?: Record<string, unknown>
  readonly route?: RouteOptions
}

/** What the handler is given, or the message of the refusal. */
async function ask(createApp: CreateApp, { body, sent, options, route }: Question): Promise<string> {
  const app = createApp(options)
  app.post('/', { schema: { body }, ...route, handler: (request) => request.body })
  const { status, text, json } = await sendSocket(app, { method: 'POST', path: '/', body: sent })
  return status === 200 ? text : `${status}, ${messageOf(json())}`
}

const nullable = { ...OBJECT, properties: { n: { type: 'integer' }, s: { type: 'string' } } }
const nulls = { body: nullable, sent: { n: null, s: null } }
const nullOrNumber = { anyOf: [{ type: 'null' }, { type: 'number' }] }
const zero = { body: { ...OBJECT, properties: { n: nullOrNumber } }, sent: { n: 0 } }
const stripping = {
  body: { anyOf: [closed({ a: { type: 'string' } }), closed({ b: { type: 'string' } })] },
  sent: { b: 'x' },
}
const kind = (name: string, property: string, required: readonly string[]): object =>
  closed({ kind: { const: name }, [property]: { type: 'string' } }, ['kind', ...required])
const byKind = { ...OBJECT, oneOf: [kind('A', 'a', []), kind('B', 'b', ['b'])] }
const tagged = { body: byKind, sent: { kind: 'B', b: 'x' } }

/** The body as it came, everything else with the baseline: a compiler may look at the part. */
function bodyUncoerced(): RouteOptions {
  const asIs = new Ajv({ coerceTypes: false, useDefaults: true, removeAdditional: true })
  const coerced = new Ajv({ coerceTypes: 'array', useDefaults: true, removeAdditional: true })
  return {
    validatorCompiler: ({ schema, httpPart }: { schema: object; httpPart: string }) =>
      (httpPart === 'body' ? asIs : coerced).compile(schema),
  }
}

/** One branch is told apart by its `const`, the other by what it lacks: the client is told of both, and of the union. */
const ALL_BRANCHES =
  "400, body/kind must be equal to constant, body must have required property 'b', body must match exactly one schema in oneOf"

const customOptions = (ajv: object): Record<string, unknown> => ({ ajv: { customOptions: ajv } })

/** Values that arrive in the handler. */
export const validationCases: readonly OutcomeCase[] = [
  {
    number: '6',
    asks: '`null` in a body does not silently become `0` or `""`',
    probe: (createApp) => ask(createApp, nulls),
    outcome: { ...peers('{"n":0,"s":""}'), cloister: '{"n":0,"s":""}' },
    strict: '400, body/n must be integer, body/s must be string',
  },
  {
    number: '6a',
    asks: '… with a validator compiler that coerces no bodies',
    probe: (createApp) => ask(createApp, { ...nulls, route: bodyUncoerced() }),
    outcome: { ...peers('400, body/n must be integer'), cloister: '400, body/n must be integer' },
  },
  {
    number: '7',
    asks: '`0` stays `0` if the schema allows `null` or a number',
    probe: (createApp) => ask(createApp, zero),
    outcome: { ...peers('{"n":null}'), cloister: '{"n":null}' },
    strict: '{"n":0}',
  },
  {
    number: '7a',
    asks: '… with a validator compiler that coerces no bodies',
    probe: (createApp) => ask(createApp, { ...zero, route: bodyUncoerced() }),
    outcome: { ...peers('{"n":0}'), cloister: '{"n":0}' },
  },
  {
    number: '8',
    asks: 'removing undeclared properties in a union of `{ a }` and `{ b }` keeps `b`',
    probe: (createApp) => ask(createApp, stripping),
    outcome: { ...peers('{}'), cloister: '{}' },
    strict: '{"b":"x"}',
  },
  {
    number: '8a',
    asks: '… with `removeAdditional: false`',
    probe: (createApp) =>
      ask(createApp, { ...stripping, options: customOptions({ removeAdditional: false }) }),
    outcome: { ...peers('{"b":"x"}'), cloister: '{"b":"x"}' },
  },
  {
    number: '9',
    asks: 'removing undeclared properties accepts a valid `oneOf` with a `kind`',
    probe: (createApp) => ask(createApp, tagged),
    outcome: { ...peers(ALL_BRANCHES), cloister: ALL_BRANCHES },
    strict: '{"kind":"B","b":"x"}',
  },
  {
    number: '9a',
    asks: '… with the keyword `discriminator` and `discriminator: true`',
    probe: (createApp) =>
      ask(createApp, {
        ...tagged,
        body: { ...byKind, discriminator: { propertyName: 'kind' } },
        options: customOptions({ discriminator: true }),
      }),
    outcome: { ...peers('{"kind":"B","b":"x"}'), cloister: '{"kind":"B","b":"x"}' },
  },
  {
    number: '15',
    asks: '`{ kind: "B" }` gets an error about what B lacks, and nothing about A',
    probe: (createApp) => ask(createApp, { ...tagged, sent: { kind: 'B' } }),
    outcome: { ...peers(ALL_BRANCHES), cloister: ALL_BRANCHES },
    strict: "400, body must have required property 'b'",
  },
  {
    number: '15a',
    asks: "… with `unionErrors: 'branch'`",
    probe: (createApp) =>
      ask(createApp, { ...tagged, sent: { kind: 'B' }, options: { unionErrors: 'branch' } }),
    outcome: { ...peers(null), cloister: "400, body must have required property 'b'" },
  },
]
