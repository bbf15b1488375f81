/* oxlint-disable typescript/ban-ts-comment -- a type test also says what must not compile */

import { cloister } from 'cloister'
import type { CloisterOptions } from 'cloister'

import { app, is, it } from './support.ts'

it('rejects a misspelt option at its place', () => {
  cloister({
    strict: true,
    // @ts-expect-error -- did you mean 'logger'?
    loger: true,
  })
})

it('rejects an option that the framework does not have at its place', () => {
  cloister({
    strict: true,
    // @ts-expect-error -- no option is similar
    tenant: 'north',
  })
})

it('takes options out of variables, with a wide type, and none', () => {
  const own = { strict: true, bodyLimit: 100 } as const
  const wide: CloisterOptions = own
  const open: CloisterOptions & Record<string, unknown> = { tenant: 'north' }
  cloister(own)
  cloister(wide)
  cloister(open)
  cloister({ ...own, ...wide })
  cloister()
  cloister(undefined)
})

it('takes the options of a generic function', () => {
  const make = (options: Partial<CloisterOptions>) => cloister({ ...options, strict: true })
  make({ bodyLimit: 1 })
})

it('rejects a keyword with a wrong, missing, extra or swapped letter', () => {
  app.post(
    '/',
    {
      schema: {
        // @ts-expect-error -- did you mean 'minLength'?
        body: { type: 'object', properties: { a: { type: 'string', minLenght: 3 } } },
      },
    },
    () => 'x',
  )
  app.post(
    '/',
    {
      schema: {
        response: {
          // @ts-expect-error -- did you mean 'additionalProperties'?
          200: { type: 'array', items: { type: 'object', additionalPropertis: false } },
        },
      },
    },
    () => [{}],
  )
  // @ts-expect-error -- did you mean 'properties'?
  app.get('/', { schema: { querystring: { type: 'object', propertiess: {} } } }, () => 'x')
  // @ts-expect-error -- did you mean 'maximum'?
  app.get('/', { schema: { querystring: { a: { type: 'integer', maxumum: 1 } } } }, () => 'x')
  // @ts-expect-error -- did you mean 'maxLength'?
  app.get('/', { schema: { querystring: { a: { type: 'string', maxlength: 1 } } } }, () => 'x')
  app.get(
    '/',
    {
      schema: {
        // @ts-expect-error -- did you mean 'minLength'?
        querystring: {
          type: 'object',
          properties: { a: { type: 'array', items: { anyOf: [{ type: 'string', minlength: 1 }] } } },
        },
      },
    },
    () => 'x',
  )
})

it('rejects `required` as a flag of a property', () => {
  app.post(
    '/',
    {
      schema: {
        // @ts-expect-error -- 'required' is a list of names
        body: { type: 'object', properties: { a: { type: 'string', required: true } } },
      },
    },
    () => 'x',
  )
})

it('takes words of other tools, and names of properties that are similar to a keyword', () => {
  const schema = {
    body: {
      type: 'object',
      'x-internal': true,
      tsType: 'User',
      xml: { name: 'user' },
      required: ['requierd'],
      properties: {
        minLenght: { type: 'string', example: 'a', faker: 'lorem.word' },
        requierd: { type: 'boolean', transform: ['trim'] },
        type: { type: 'string', enum: ['a'] },
        required: { type: 'boolean' },
        nested: { type: 'object', default: { minLenght: 1 }, properties: { itmes: { type: 'number' } } },
      },
    },
  } as const
  app.post('/', { schema }, (request) => is<boolean>()(request.body.requierd))
  app.post('/', { schema: { body: { content: { 'text/x': { schema } }, required: false } } }, () => 'x')
})
