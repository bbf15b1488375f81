import { describe, expect, it } from 'vitest'
import { SchemaError } from '../src/index.ts'
import { BodyContent, findCapitalPatterns, normalizeRouteSchema } from '../src/internal.ts'

function code(schema: object): string | undefined {
  try {
    normalizeRouteSchema(schema)
    return undefined
  } catch (error) {
    return error instanceof SchemaError ? error.code : 'other'
  }
}

describe('normalizeRouteSchema', () => {
  it('writes the shortened form in full in every part and response', () => {
    const list = { name: { type: 'string' } }
    const full = { type: 'object', properties: list }
    expect(
      normalizeRouteSchema({
        body: list,
        query: list,
        params: list,
        headers: list,
        response: { 200: list, '4XX': list },
      }),
    ).toEqual({
      body: full,
      querystring: full,
      params: full,
      headers: full,
      response: new Map([
        ['200', { schema: full }],
        ['4xx', { schema: full }],
      ]),
    })
  })

  it('does not change a full schema, a boolean and an empty schema', () => {
    for (const schema of [
      { type: 'string' },
      { $ref: 'a#' },
      { anyOf: [{}] },
      true,
      false,
      {},
      { enum: [1] },
    ]) {
      expect(normalizeRouteSchema({ body: schema }).body).toEqual(schema)
    }
  })

  it('does not change its input', () => {
    const schema = Object.freeze({
      query: Object.freeze({ a: Object.freeze({ type: 'string' }) }),
      headers: Object.freeze({ 'X-A': Object.freeze({ type: 'string' }) }),
      tags: ['a'],
    })
    expect(normalizeRouteSchema(schema)).toEqual({
      querystring: { type: 'object', properties: { a: { type: 'string' } } },
      headers: { type: 'object', properties: { 'x-a': { type: 'string' } } },
      tags: ['a'],
    })
  })

  it('lowers header names wherever the same headers are described', () => {
    const headers = {
      type: 'object',
      properties: { 'X-Key': { type: 'object', properties: { Kept: {} } } },
      required: ['X-Key'],
      dependencies: { 'X-Key': ['X-Other'], 'X-Z': { required: ['X-Q'] } },
      anyOf: [{ required: ['X-A'] }],
      if: { required: ['X-B'] },
      propertyNames: { not: { anyOf: [{ enum: ['X-C', 'x-c'] }, { const: 'X-D' }] } },
    }
    expect(normalizeRouteSchema({ headers }).headers).toEqual({
      type: 'object',
      properties: { 'x-key': { type: 'object', properties: { Kept: {} } } },
      required: ['x-key'],
      dependencies: { 'x-key': ['x-other'], 'x-z': { required: ['x-q'] } },
      anyOf: [{ required: ['x-a'] }],
      if: { required: ['x-b'] },
      propertyNames: { not: { anyOf: [{ enum: ['x-c'] }, { const: 'x-d' }] } },
    })
  })

  it('lowers the header names in the pointers of references, and keeps names of another kind', () => {
    const { headers } = normalizeRouteSchema({
      headers: {
        type: 'object',
        properties: {
          'X-Own': { $ref: '#/properties/X-A' },
          'X-A': { $ref: 'user#/properties/tenantId/properties/Kept' },
          'X-Definition': { $ref: '#/$defs/Name/properties/X-B' },
          'X-Item': { items: { $ref: '#/allOf/0/properties/X-C' } },
          'X-Whole': { $ref: 'User/Properties/X' },
          'X-Data': { const: { $ref: '#/properties/X-A' } },
        },
        $defs: { Name: { properties: { 'X-B': {} } } },
        allOf: [{ properties: { 'X-C': {} } }],
      },
    })
    expect(headers).toEqual({
      type: 'object',
      properties: {
        'x-own': { $ref: '#/properties/x-a' },
        'x-a': { $ref: 'user#/properties/tenantid/properties/Kept' },
        'x-definition': { $ref: '#/$defs/Name/properties/x-b' },
        'x-item': { items: { $ref: '#/allOf/0/properties/x-c' } },
        'x-whole': { $ref: 'User/Properties/X' },
        'x-data': { const: { $ref: '#/properties/X-A' } },
      },
      $defs: { Name: { properties: { 'x-b': {} } } },
      allOf: [{ properties: { 'x-c': {} } }],
    })
  })

  it('reads content maps by canonical media type', () => {
    const { body, response } = normalizeRouteSchema({
      body: { content: { ' Application/JSON; charset=utf-8': { schema: { a: { type: 'string' } } } } },
      response: { 200: { description: 'x', content: { 'Text/Plain': { schema: { type: 'string' } } } } },
    })
    expect(body).toBeInstanceOf(BodyContent)
    expect(body instanceof BodyContent && [...body.content]).toEqual([
      ['application/json', { type: 'object', properties: { a: { type: 'string' } } }],
    ])
    expect(response).toEqual(new Map([['200', { content: new Map([['text/plain', { type: 'string' }]]) }]]))
  })

  it('takes a property named content for a property', () => {
    expect(normalizeRouteSchema({ body: { content: { type: 'string' } } }).body).toEqual({
      type: 'object',
      properties: { content: { type: 'string' } },
    })
  })

  it('passes schemas of other libraries through untouched', () => {
    class Foreign {
      readonly kind = 'foreign'
    }
    const foreign = new Foreign()
    const standard = { '~standard': { version: 1, vendor: 'x', validate: (value: unknown) => ({ value }) } }
    const { body, querystring, headers, response } = normalizeRouteSchema({
      body: foreign,
      query: standard,
      headers: foreign,
      response: { 200: foreign },
    })
    expect(body).toBe(foreign)
    expect(querystring).toBe(standard)
    expect(headers).toBe(foreign)
    expect(response?.get('200')?.schema).toBe(foreign)
  })

  it('unwraps fluent schemas', () => {
    const fluent = { isFluentSchema: true, valueOf: () => ({ type: 'string' }) }
    expect(normalizeRouteSchema({ body: fluent }).body).toEqual({ type: 'string' })
  })

  it('changes nothing when the shortened form is switched off', () => {
    const body = { a: { type: 'string' } }
    expect(normalizeRouteSchema({ body }, { shorthand: false }).body).toBe(body)
  })

  it('refuses what cannot be read, with a code', () => {
    expect(code({ query: {}, querystring: {} })).toBe('PART_DUPLICATE')
    expect(code({ response: { 20: {} } })).toBe('STATUS_KEY_INVALID')
    expect(code({ response: { '2xx': {}, '2XX': {} } })).toBe('SHAPE_INVALID')
    expect(code({ response: [] })).toBe('SHAPE_INVALID')
    expect(code({ response: { 200: undefined } })).toBe('SHAPE_INVALID')
    expect(code({ response: { default: null } })).toBe('SHAPE_INVALID')
    expect(code({ body: { content: { 'a/b': {} } } })).toBe('CONTENT_SCHEMA_MISSING')
    expect(code({ response: { 200: { content: { 'a/b': { schema: undefined } } } } })).toBe(
      'CONTENT_SCHEMA_MISSING',
    )
    expect(code({ body: { content: { 'a/b/c d': { schema: {} } } } })).toBe('SHAPE_INVALID')
    expect(code({ response: { 200: { content: { 'a/b': { schema: {} }, type: 'object' } } } })).toBe(
      'SHAPE_INVALID',
    )
    expect(code({ body: { content: { 'a/b': { schema: {} }, 'A/B': { schema: {} } } } })).toBe(
      'SHAPE_INVALID',
    )
    expect(code({ headers: { 'X-A': {}, 'x-a': {} } })).toBe('SHAPE_INVALID')
  })
})

describe('propertyNames of headers', () => {
  const namesOf = (headers: object): unknown =>
    Object(normalizeRouteSchema({ headers: { type: 'object', ...headers } }).headers).propertyNames

  it('have the texts of a reference in lower case, and the definition keeps its own', () => {
    const definitions = { 'a/b': { enum: ['X-A', 'x-a', 1] }, two: { $ref: '#/definitions/a~1b' } }
    const lowered = { allOf: [{ enum: ['x-a', 1] }] }
    expect(namesOf({ definitions, propertyNames: { $ref: '#/definitions/a~1b' } })).toEqual(lowered)
    expect(namesOf({ definitions, propertyNames: { $ref: '#/definitions/two' } })).toEqual({
      allOf: [lowered],
    })
    const both = { $ref: '#/definitions/a~1b', allOf: [{ const: 'X-B' }], maxLength: 3 }
    expect(namesOf({ definitions, propertyNames: both })).toEqual({
      allOf: [{ const: 'x-b' }, { enum: ['x-a', 1] }],
      maxLength: 3,
    })
    const headers = { definitions, properties: { mode: { $ref: '#/definitions/a~1b' } } }
    expect(normalizeRouteSchema({ headers }).headers).toMatchObject(headers)
  })

  it('keep references that lead elsewhere, nowhere, or to themselves', () => {
    for (const $ref of [
      'other#',
      '#name',
      '#/definitions/none',
      '#/%zz',
      '#',
      '#/definitions/hasOwnProperty',
    ])
      expect(namesOf({ definitions: {}, propertyNames: { $ref } })).toEqual({ $ref })
    const definitions = { loop: { not: { $ref: '#/definitions/loop' } } }
    expect(namesOf({ definitions, propertyNames: { $ref: '#/definitions/loop' } })).toEqual({
      allOf: [{ not: { $ref: '#/definitions/loop' } }],
    })
  })
})

describe('findCapitalPatterns', () => {
  it('finds expressions for names with capital letters', () => {
    const capital = { patternProperties: { '^X-': {}, '^x-/': {}, 'a/B': {} } }
    expect(findCapitalPatterns(capital)).toEqual(['/patternProperties/^X-', '/patternProperties/a~1B'])
    const named = { propertyNames: { anyOf: [{ pattern: '^X-' }, { not: { pattern: 'A' } }] } }
    expect(findCapitalPatterns({ allOf: [capital, named] })).toEqual([
      '/allOf/0/patternProperties/^X-',
      '/allOf/0/patternProperties/a~1B',
      '/allOf/1/propertyNames/anyOf/0/pattern',
      '/allOf/1/propertyNames/anyOf/1/not/pattern',
    ])
    expect(findCapitalPatterns({ definitions: { d: named } })).toHaveLength(2)
  })

  it('takes no part of an expression for a letter that is none, and no value for a name', () => {
    const patterns = [
      '^x-',
      '\\D\\W\\S',
      '\\p{Lu}',
      '\\u00AB',
      '\\xAB',
      '\\cA',
      '[A-Za-z]',
      '[\\]A]',
      '(?<Name>a)\\k<Name>',
    ]
    const patternProperties = Object.fromEntries(patterns.map((pattern) => [pattern, { pattern: '^X' }]))
    expect(findCapitalPatterns({ patternProperties })).toEqual([])
    for (const pattern of ['(?=A)', '(?!A)', '(?<=A)', '(?<!A)', '[a]A', '\\\\A'])
      expect([pattern, findCapitalPatterns({ patternProperties: { [pattern]: {} } })]).toEqual([
        pattern,
        [`/patternProperties/${pattern}`],
      ])
    const values = {
      properties: { 'x-a': { pattern: '^[A]A' } },
      const: { patternProperties: { A: {} } },
      enum: [{ patternProperties: { A: {} } }],
      default: { patternProperties: { A: {} } },
      pattern: 'A',
    }
    expect(findCapitalPatterns(values)).toEqual([])
    for (const none of [true, null, 'A', { patternProperties: [] }, { propertyNames: { pattern: 1 } }])
      expect(findCapitalPatterns(none)).toEqual([])
  })
})
